package io.parterre.deploy.operator;

import io.parterre.deploy.CommandGroup;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ExplainNodeRequest;
import io.parterre.proto.admin.ExplainNodeResponse;
import io.parterre.proto.admin.ExplainRangeRequest;
import io.parterre.proto.admin.ExplainRangeResponse;
import io.parterre.proto.admin.MemberStatus;
import io.parterre.proto.admin.RangeStatus;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code parterre explain}. */
@Command(
        name = "explain",
        description = "Says why something is as it is, and what is being done about it.",
        subcommands = {ExplainCommand.OfRange.class, ExplainCommand.OfNode.class},
        footer = {
            "  parterre explain range 17 --manager 10.0.0.1:10021",
            "  parterre explain node node-1"
        })
final class ExplainCommand extends CommandGroup {
    /** {@code parterre explain range}. */
    @Command(
            name = "range",
            description = "Says why a range is where it is.",
            footer = {
                "  parterre explain range 17 --manager 10.0.0.1:10021",
                "",
                "APPLIED is the entry of the range's log up to which the member has changed its rows,",
                "MATCHED the one up to which its log is the leader's, as the leader knows."
            })
    static final class OfRange extends OperatorCommand<ExplainRangeResponse> {
        @Parameters(paramLabel = "RANGE", description = "Number of the range.")
        private long rangeId;

        @Override
        ExplainRangeResponse ask(ManagerCalls calls, Transport transport) {
            return calls.ask(
                    stub ->
                            stub.explainRange(
                                    ExplainRangeRequest.newBuilder().setRangeId(rangeId).build()));
        }

        @Override
        void print(ExplainRangeResponse explained, PrintWriter out) {
            RangeStatus status = explained.getStatus();
            RangeText.printHead(status, out);
            TextTable members = new TextTable("MEMBER", "HEARD", "APPLIED", "MATCHED", "REMARKS");
            for (MemberStatus each : status.getMembersList()) {
                members.row(
                        each.getNodeId(),
                        NodesCommand.word(each.getLiveness()),
                        each.getAppliedIndex(),
                        // The leader measures the other members by its own log.
                        each.getNodeId().equals(status.getLeader()) ? "-" : each.getMatchIndex(),
                        String.join(" ", RangeText.remarks(each)));
            }
            members.print(out);
            if (status.hasMove()) {
                out.println(
                        "move: " + RangeText.move(status) + ": " + status.getMove().getReason());
            }
            if (status.hasSplit()) {
                out.println(RangeText.split(status) + ": " + status.getSplit().getReason());
            }
            if (status.hasMerge()) {
                out.println(RangeText.merge(status) + ": " + status.getMerge().getReason());
            }
            explained.getReasonsList().forEach(out::println);
            JournalText.print(explained.getJournalList(), out);
        }
    }

    /** {@code parterre explain node}. */
    @Command(
            name = "node",
            description = "Says why a server has what it has.",
            footer = "  parterre explain node node-1 --manager 10.0.0.1:10021")
    static final class OfNode extends OperatorCommand<ExplainNodeResponse> {
        @Parameters(paramLabel = "NODE", description = "The server.")
        private String node;

        @Override
        ExplainNodeResponse ask(ManagerCalls calls, Transport transport) {
            return calls.ask(
                    stub ->
                            stub.explainNode(
                                    ExplainNodeRequest.newBuilder().setNodeId(node).build()));
        }

        @Override
        void print(ExplainNodeResponse explained, PrintWriter out) {
            out.println("node " + explained.getStatus().getNode().getNodeId());
            explained.getReasonsList().forEach(out::println);
            JournalText.print(explained.getJournalList(), out);
        }
    }
}

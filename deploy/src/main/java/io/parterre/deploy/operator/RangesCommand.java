package io.parterre.deploy.operator;

import com.google.protobuf.ByteString;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.ListRangesResponse;
import io.parterre.proto.admin.RangeStatus;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parterre ranges}. */
@Command(
        name = "ranges",
        description = {
            "Shows the ranges in the order of their keys, and who holds and leads them. Sizes are",
            "estimates, of rows as they lie compressed on disk and of those still in memory."
        },
        footer = {
            "  parterre ranges --manager 10.0.0.1:10021",
            "  parterre ranges --limit 10000 --json"
        })
final class RangesCommand extends OperatorCommand<ListRangesResponse> {
    private static final int PAGE_MAX = 1_000;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Ranges to show at most. Default: ${DEFAULT-VALUE}.",
            defaultValue = "1000")
    private int limit;

    @Override
    ListRangesResponse ask(ManagerCalls calls, Transport transport) {
        ListRangesResponse.Builder all = ListRangesResponse.newBuilder();
        ByteString start = ByteString.EMPTY;
        do {
            ListRangesRequest page =
                    ListRangesRequest.newBuilder()
                            .setStart(start)
                            .setCountMax(Math.min(PAGE_MAX, limit - all.getRangesCount()))
                            .build();
            ListRangesResponse answer = calls.ask(stub -> stub.listRanges(page));
            all.addAllRanges(answer.getRangesList()).setNextStart(answer.getNextStart());
            start = answer.getNextStart();
        } while (!start.isEmpty() && all.getRangesCount() < limit);
        return all.build();
    }

    @Override
    void print(ListRangesResponse ranges, PrintWriter out) {
        TextTable table =
                new TextTable(
                        "RANGE",
                        "GENERATION",
                        "LEADER",
                        "MEMBERS",
                        "START",
                        "SIZE",
                        "OPS/S",
                        "CHANGE");
        for (RangeStatus each : ranges.getRangesList()) {
            table.row(
                    each.getRange().getRangeId(),
                    each.getRange().getGeneration(),
                    each.getLeader(),
                    RangeText.members(each),
                    RangeText.key(each.getRange().getStart(), "(first)"),
                    RangeText.size(each),
                    RangeText.operationsPerSecond(each),
                    RangeText.change(each));
        }
        table.print(out);
        if (!ranges.getNextStart().isEmpty()) {
            out.println("there are more; --limit shows them");
        }
    }
}

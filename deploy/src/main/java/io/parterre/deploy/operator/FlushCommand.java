package io.parterre.deploy.operator;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.manager.NodeState;
import io.parterre.proto.node.FlushRequest;
import io.parterre.proto.node.NodeServiceGrpc;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parterre flush}. */
@Command(
        name = "flush",
        description = {
            "Has servers write what they hold in memory to disk. Nothing depends on it: a restart",
            "has less to apply afterwards."
        },
        footer = {"  parterre flush --dry-run", "  parterre flush node-1 node-2"})
final class FlushCommand extends OperatorCommand<ChangeResponse> {
    private static final long FLUSH_SECONDS_MAX = 60;

    @Parameters(
            paramLabel = "NODE",
            description = "Servers to flush. Default: all.",
            arity = "0..*")
    private List<String> nodes = List.of();

    @Option(names = "--dry-run", description = "Tells who would flush, and does nothing.")
    private boolean dryRun;

    @Override
    ChangeResponse ask(ManagerCalls calls, Transport transport) {
        List<NodeStatus> known =
                calls.ask(stub -> stub.listNodes(ListNodesRequest.getDefaultInstance()))
                        .getNodesList();
        List<String> names = known.stream().map(each -> each.getNode().getNodeId()).toList();
        for (String asked : nodes) {
            if (!names.contains(asked)) {
                throw new OperatorException(
                        ExitCode.REFUSED,
                        "no node '" + asked + "' (expected: one of " + names + ")");
            }
        }
        ChangeResponse.Builder effects = ChangeResponse.newBuilder();
        for (NodeStatus each : known) {
            boolean wanted =
                    nodes.isEmpty()
                            ? each.getNode().getState() != NodeState.REMOVED
                            : nodes.contains(each.getNode().getNodeId());
            if (wanted) {
                effects.addEffects(dryRun ? would(each) : flush(each, transport));
            }
        }
        return effects.build();
    }

    private static String would(NodeStatus node) {
        return node.getNode().getNodeId() + ": would flush, replicas: " + node.getReplicas();
    }

    private static String flush(NodeStatus node, Transport transport) {
        String name = node.getNode().getNodeId();
        ManagedChannel channel = NodeText.connect(node, transport);
        try {
            int replicas =
                    NodeServiceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(FLUSH_SECONDS_MAX, TimeUnit.SECONDS)
                            .flush(FlushRequest.getDefaultInstance())
                            .getReplicas();
            return name + ": flushed, replicas: " + replicas;
        } catch (StatusRuntimeException e) {
            throw NodeText.unanswered(node, "flush", e, Duration.ofSeconds(FLUSH_SECONDS_MAX));
        } finally {
            channel.shutdownNow();
        }
    }

    @Override
    void print(ChangeResponse answer, PrintWriter out) {
        answer.getEffectsList().forEach(out::println);
    }
}

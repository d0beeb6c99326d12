package io.parterre.deploy.operator;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ExplainRangeRequest;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.manager.NodeState;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.NodeSnapshot;
import io.parterre.proto.node.NodeSnapshots;
import io.parterre.proto.node.ReplicaSnapshot;
import io.parterre.proto.node.TakeSnapshotRequest;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parterre snapshot}. */
@Command(
        name = "snapshot",
        description = {
            "Has servers write the rows in memory to disk, so that a restart has nothing to apply,",
            "and drop what replicas need not keep of their logs. Servers do both by themselves; this",
            "is for before a planned restart, and for ranges that nobody writes to any more. A log",
            "keeps its last 32 MiB, and all of it while a copy is on its way to another server."
        },
        footer = {
            "  parterre snapshot node-1 --dry-run    what a restart would have to apply",
            "  parterre snapshot                     all replicas of all servers",
            "  parterre snapshot 17 18               the replicas of two ranges"
        })
final class SnapshotCommand extends OperatorCommand<NodeSnapshots> {
    private static final long SNAPSHOT_SECONDS_MAX = 120;

    @Parameters(
            paramLabel = "NODE|RANGE",
            description = "Servers, and numbers of ranges. Default: all.",
            arity = "0..*")
    private List<String> targets = List.of();

    @Option(names = "--dry-run", description = "Tells how it is, and does nothing.")
    private boolean dryRun;

    @Override
    NodeSnapshots ask(ManagerCalls calls, Transport transport) {
        List<NodeStatus> known =
                calls.ask(stub -> stub.listNodes(ListNodesRequest.getDefaultInstance()))
                        .getNodesList();
        List<String> names = known.stream().map(each -> each.getNode().getNodeId()).toList();
        List<String> nodes = targets.stream().filter(names::contains).toList();
        List<Long> ranges = new ArrayList<>();
        for (String target : targets) {
            if (!names.contains(target)) {
                ranges.add(range(calls, target, names));
            }
        }
        NodeSnapshots.Builder answer = NodeSnapshots.newBuilder();
        for (NodeStatus node : known) {
            boolean named = nodes.contains(node.getNode().getNodeId());
            boolean chosen = named || !ranges.isEmpty() || targets.isEmpty();
            if (!chosen || node.getNode().getState() == NodeState.REMOVED) {
                continue;
            }
            if (!named && node.getLiveness() != Liveness.UP) {
                spec().commandLine()
                        .getErr()
                        .println(node.getNode().getNodeId() + ": not up, skipped");
                continue;
            }
            NodeSnapshot snapshot = snapshot(node, named ? List.of() : ranges, transport);
            if (snapshot.getReplicasCount() > 0) {
                answer.addNodes(snapshot);
            }
        }
        return answer.build();
    }

    /** Returns the number of an existing range. */
    private static long range(ManagerCalls calls, String target, List<String> names) {
        long rangeId;
        try {
            rangeId = Long.parseLong(target);
        } catch (NumberFormatException neither) {
            throw new OperatorException(
                    ExitCode.REFUSED,
                    "'" + target + "' (expected: the number of a range, or one of " + names + ")");
        }
        ExplainRangeRequest request = ExplainRangeRequest.newBuilder().setRangeId(rangeId).build();
        calls.ask(stub -> stub.explainRange(request));
        return rangeId;
    }

    private NodeSnapshot snapshot(NodeStatus node, List<Long> ranges, Transport transport) {
        String name = node.getNode().getNodeId();
        ManagedChannel channel = NodeText.connect(node, transport);
        try {
            return NodeSnapshot.newBuilder()
                    .setNodeId(name)
                    .addAllReplicas(
                            NodeServiceGrpc.newBlockingStub(channel)
                                    .withDeadlineAfter(SNAPSHOT_SECONDS_MAX, TimeUnit.SECONDS)
                                    .takeSnapshot(
                                            TakeSnapshotRequest.newBuilder()
                                                    .addAllRangeIds(ranges)
                                                    .setDryRun(dryRun)
                                                    .build())
                                    .getReplicasList())
                    .build();
        } catch (StatusRuntimeException e) {
            throw NodeText.unanswered(
                    node, "take a snapshot", e, Duration.ofSeconds(SNAPSHOT_SECONDS_MAX));
        } finally {
            channel.shutdownNow();
        }
    }

    @Override
    void print(NodeSnapshots answer, PrintWriter out) {
        TextTable table = new TextTable("NODE", "RANGE", "TO APPLY", "LOG", "REMARK");
        for (NodeSnapshot node : answer.getNodesList()) {
            for (ReplicaSnapshot replica : node.getReplicasList()) {
                table.row(
                        node.getNodeId(),
                        replica.getRangeId(),
                        change(toApply(replica, true), toApply(replica, false)),
                        change(
                                NodeText.bytes(replica.getLogBytesBefore()),
                                NodeText.bytes(replica.getLogBytes())),
                        remark(replica, dryRun));
            }
        }
        if (answer.getNodesCount() == 0) {
            out.println("nothing to do: no server that is up has a replica of what was named");
            return;
        }
        table.print(out);
    }

    /**
     * Returns why nothing was done for a replica, or why its log was not dropped; empty string if
     * neither.
     */
    static String remark(ReplicaSnapshot replica, boolean dryRun) {
        if (replica.getLogHeld()) {
            return "log kept for a copy";
        }
        boolean logSame = replica.getLogBytes() == replica.getLogBytesBefore();
        if (dryRun || !logSame) {
            return "";
        }
        return replica.getFlushedIndex() == replica.getFlushedIndexBefore()
                ? "all was on disk, and the log is no longer than is kept"
                : "the log is no longer than is kept";
    }

    /** Returns the number of entries that a start would apply; more may have arrived since. */
    private static String toApply(ReplicaSnapshot replica, boolean before) {
        long flushed = before ? replica.getFlushedIndexBefore() : replica.getFlushedIndex();
        return Long.toString(Math.max(0, replica.getAppliedIndex() - flushed));
    }

    private String change(String before, String after) {
        return dryRun ? before : before + " -> " + after;
    }
}

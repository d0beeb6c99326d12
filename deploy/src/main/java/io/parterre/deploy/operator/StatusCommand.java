package io.parterre.deploy.operator;

import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.GetStatusRequest;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code parterre status}. */
@Command(
        name = "status",
        description = "Shows the cluster in a few lines.",
        footer = {
            "  parterre status --manager 10.0.0.1:10021",
            "  PARTERRE_MANAGER=10.0.0.1:10021,10.0.0.2:10021 parterre status --json"
        })
final class StatusCommand extends OperatorCommand<ClusterStatus> {
    @Override
    ClusterStatus ask(ManagerCalls calls, Transport transport) {
        return calls.ask(stub -> stub.getStatus(GetStatusRequest.getDefaultInstance()));
    }

    @Override
    void print(ClusterStatus status, PrintWriter out) {
        line(out, "cluster", status.getClusterId().isEmpty() ? "-" : status.getClusterId());
        line(out, "leader", status.getLeader());
        if (status.getManagersUp() > 0) {
            line(
                    out,
                    "managers",
                    status.getManagersUp()
                            + " up"
                            + (status.getManagersSilentCount() == 0
                                    ? ""
                                    : ", nothing is heard of "
                                            + String.join(", ", status.getManagersSilentList())));
        }
        line(out, "map version", status.getMapVersion());
        line(
                out,
                "nodes",
                status.getNodesUp()
                        + " up, "
                        + status.getNodesSuspect()
                        + " suspect, "
                        + status.getNodesDead()
                        + " dead");
        line(
                out,
                "ranges",
                status.getRanges()
                        + ", "
                        + status.getRangesWithoutLeader()
                        + " without leader, "
                        + status.getRangesUnderReplicated()
                        + " under-replicated");
        line(out, "moves", status.getMovesInProgress() + " in progress");
        if (status.getSplitsInProgress() > 0) {
            line(out, "splits", status.getSplitsInProgress() + " in progress");
        }
        if (status.getMergesInProgress() > 0) {
            line(out, "merges", status.getMergesInProgress() + " in progress");
        }
        if (status.getNodesDraining() > 0) {
            line(
                    out,
                    "draining",
                    NodeText.count(status.getNodesDraining(), "node")
                            + ", "
                            + NodeText.count(status.getReplicasToGo(), "replica")
                            + " to go");
        }
        if (status.hasDisruptionLease()) {
            line(out, "maintenance", MaintenanceCommands.Show.text(status.getDisruptionLease()));
        }
        line(out, "accounts", status.getAccounts());
    }

    private static void line(PrintWriter out, String name, Object value) {
        out.printf("%-12s %s%n", name, value);
    }
}

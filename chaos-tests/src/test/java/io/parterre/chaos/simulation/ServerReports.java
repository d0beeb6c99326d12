package io.parterre.chaos.simulation;

import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a node tells the manager, and what it makes of the answer, as {@code ManagerLink} does. */
final class ServerReports {
    private static final long INTERVAL_MILLIS = 1_000;
    private static final long ANSWER_MAX_MILLIS = 5_000;

    private final SimulatedServer server;
    private boolean soon;
    private boolean underWay;
    private boolean wantedAgain;
    private long number;
    private int manager;

    ServerReports(SimulatedServer server) {
        this.server = server;
    }

    void begin() {
        soon = false;
        underWay = false;
        wantedAgain = false;
        beatAndAgain();
    }

    private void beatAndAgain() {
        beat();
        server.later(INTERVAL_MILLIS, this::beatAndAgain);
    }

    /** Something has changed. */
    void soon() {
        if (!soon) {
            soon = true;
            server.later(
                    5,
                    () -> {
                        soon = false;
                        beat();
                    });
        }
    }

    private void beat() {
        if (underWay) {
            wantedAgain = true;
            return;
        }
        underWay = true;
        long sent = ++number;
        boolean idle = server.orders.isIdle();
        NodeReport report = report();
        SimulatedManager asked = server.simulation.managers.get(manager);
        server.simulation.network.sendReport(
                server,
                asked,
                () ->
                        asked.hears(
                                report,
                                answer ->
                                        server.simulation.network.sendAnswer(
                                                server,
                                                asked,
                                                () -> answered(answer, sent, idle))));
        server.later(ANSWER_MAX_MILLIS, () -> ended(sent, true));
    }

    /** Empty: another manager leads. */
    private void answered(Optional<List<Order>> answer, long sent, boolean idle) {
        if (!underWay || sent != number) {
            return;
        }
        if (answer.isPresent()) {
            if (idle) {
                server.orders.take(answer.get());
            }
            server.simulation.network.repeatOrders(server, answer.get());
        }
        ended(sent, answer.isEmpty());
    }

    private void ended(long sent, boolean failed) {
        if (!underWay || sent != number) {
            return;
        }
        underWay = false;
        if (failed) {
            manager = (manager + 1) % server.simulation.managers.count();
            server.orders.take(List.of());
        }
        if (wantedAgain) {
            wantedAgain = false;
            soon();
        }
    }

    NodeReport report() {
        List<NodeReport.Replica> replicas = new ArrayList<>();
        for (SimulatedReplica replica : server.replicas.values()) {
            if (replica.hasGroup) {
                replicas.add(report(replica));
            }
        }
        return new NodeReport(
                server.node,
                Optional.<ClusterId>empty(),
                replicas,
                Optional.empty(),
                false,
                server.orders.refused(),
                server.orders.refusedMerges(),
                DiskSpace.UNKNOWN,
                false);
    }

    private NodeReport.Replica report(SimulatedReplica replica) {
        boolean leads = replica.isLeading();
        boolean tells = leads || replica.leader.isEmpty();
        return new NodeReport.Replica(
                replica.rangeId,
                replica.descriptor().generation(),
                leads,
                Math.max(0, replica.appliedIndex()),
                server.store
                        .durable(replica.rangeId)
                        .map(each -> Math.max(0, each.appliedIndex()))
                        .orElse(0L),
                replica.descriptor().members(),
                leads ? followers(replica) : List.of(),
                replica.isJoining(),
                0,
                Optional.empty(),
                tells ? Optional.of(replica.descriptor().bounds()) : Optional.empty(),
                leads ? server.simulation.load.of(replica) : Optional.empty(),
                Optional.empty(),
                tells ? replica.descriptor().frozenFor() : Optional.empty(),
                NodeReport.Rows.AS_ALL);
    }

    private List<NodeReport.Follower> followers(SimulatedReplica replica) {
        List<NodeReport.Follower> followers = new ArrayList<>();
        for (NodeId member : replica.log.members()) {
            if (!member.equals(server.nodeId)) {
                followers.add(
                        new NodeReport.Follower(
                                member,
                                Math.max(0, replica.log.held(member)),
                                Duration.ofMillis(
                                        server.nowMillis()
                                                - replica.acknowledgedMillis.getOrDefault(
                                                        member, replica.leadSinceMillis))));
            }
        }
        return followers;
    }
}

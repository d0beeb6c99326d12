package io.parterre.chaos.simulation;

import io.parterre.key.Key;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.plan.request.MergeRequests;
import io.parterre.manager.plan.request.OperatorRequests;
import io.parterre.manager.plan.request.SplitRequests;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** What goes wrong, and what operators want, while all goes on. */
final class Faults {
    private static final int RANGES_MAX = 6;

    private final Simulation simulation;
    private final SplittableRandom random;
    private boolean ended;
    private boolean lost;

    Faults(Simulation simulation) {
        this.simulation = simulation;
        this.random = simulation.random;
    }

    void begin() {
        again(simulation.conditions.faultMillis, this::fault);
        again(1_200, this::operate);
        again(700, () -> anyServer().ifPresent(server -> server.store.flush()));
        again(3_000, this::dropLog);
        again(30_000, () -> simulation.load.shift(random));
        simulation.load.shift(random);
    }

    private void again(long meanMillis, Runnable fault) {
        simulation.timeline.in(
                1 + random.nextLong(2 * meanMillis),
                () -> {
                    if (!ended) {
                        fault.run();
                        again(meanMillis, fault);
                    }
                });
    }

    /** From here on all is well. */
    void end() {
        ended = true;
        simulation.conditions.calm();
        simulation.network.restoreAll();
        for (SimulatedServer server : simulation.servers.values()) {
            server.restart();
        }
    }

    private Optional<SimulatedServer> anyServer() {
        List<SimulatedServer> all =
                simulation.servers.values().stream().filter(server -> server.up).toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void fault() {
        Optional<SimulatedServer> any = anyServer();
        if (any.isEmpty()) {
            return;
        }
        SimulatedServer server = any.get();
        switch (random.nextInt(7)) {
            case 0, 1, 2, 3 -> failNow(server);
            case 4 -> crashFor(server, 15_000 + random.nextInt(20_000));
            case 5 -> simulation.managers.crash();
            default -> {
                boolean loses =
                        !lost
                                && random.nextInt(3) == 0
                                && simulation.servers.size() > simulation.policy.replicas();
                if (loses && isDispensable(server.nodeId)) {
                    lost = true;
                    simulation.stats.deadNodes++;
                    server.crash();
                    server.dead = true;
                }
            }
        }
    }

    /** Something delicate has just begun, or ended, on a node: a good moment to fail. */
    void moment(SimulatedServer server) {
        if (ended || random.nextInt(100) >= simulation.conditions.momentPercent) {
            return;
        }
        simulation.timeline.in(
                random.nextInt(random.nextInt(3) == 0 ? 300 : 20),
                () -> {
                    if (!ended) {
                        failNow(server);
                    }
                });
    }

    private void failNow(SimulatedServer server) {
        SimulatedServer other = anyServer().orElse(server);
        switch (random.nextInt(11)) {
            case 0 -> crashFor(server, 50 + random.nextInt(5_000));
            case 1 -> crashFor(other, 50 + random.nextInt(5_000));
            case 2 -> cutOff(server);
            case 3 -> cutOff(other);
            case 4 -> slow(other);
            case 5 -> simulation.managers.elect();
            case 6 -> {
                for (SimulatedServer each : simulation.servers.values()) {
                    crashFor(each, random.nextInt(2_000));
                }
            }
            case 7, 8, 9 -> {
                for (SimulatedReplica replica : List.copyOf(server.replicas.values())) {
                    if (replica.leadsByRaft() && random.nextBoolean()) {
                        toAndFro(replica);
                    }
                }
            }
            default -> {
                for (SimulatedReplica replica : List.copyOf(server.replicas.values())) {
                    if (random.nextBoolean()) {
                        replica.stepDown(replica.term);
                    }
                }
            }
        }
    }

    /** Another one leads at once, and this one again before long. */
    private void toAndFro(SimulatedReplica replica) {
        replica.stepDown(replica.term);
        List<NodeId> members = List.copyOf(replica.log.members());
        simulation
                .server(members.get(random.nextInt(members.size())))
                .find(replica.rangeId)
                .ifPresent(other -> other.server.replication.stand(other, true));
        if (random.nextBoolean()) {
            simulation.timeline.in(
                    500 + random.nextInt(3_000),
                    () -> {
                        for (NodeId member : members) {
                            simulation
                                    .server(member)
                                    .find(replica.rangeId)
                                    .ifPresent(other -> other.stepDown(other.term));
                        }
                        if (!replica.gone) {
                            replica.server.replication.stand(replica, true);
                        }
                    });
        }
    }

    private void crashFor(SimulatedServer server, long millis) {
        server.crash();
        restartIn(server, millis);
    }

    private void cutOff(SimulatedServer server) {
        NodeId node = server.nodeId;
        simulation.trace.note("cut off", node);
        simulation.network.cutOff(node, random.nextBoolean());
        simulation.timeline.in(500 + random.nextInt(8_000), () -> simulation.network.restore(node));
    }

    private void slow(SimulatedServer server) {
        NodeId node = server.nodeId;
        simulation.conditions.slow(node, true);
        simulation.timeline.in(5_000, () -> simulation.conditions.slow(node, false));
    }

    private void restartIn(SimulatedServer server, long millis) {
        simulation.timeline.in(millis, server::restart);
    }

    /** Whether every range would go on without it, as soon as all others are up. */
    private boolean isDispensable(NodeId lostNode) {
        for (SimulatedServer server : simulation.servers.values()) {
            for (SimulatedReplica replica : server.replicas.values()) {
                if (replica.staging.contains(lostNode)) {
                    return false;
                }
            }
        }
        for (SimulatedLog log : simulation.logs.values()) {
            Predicate<NodeId> left =
                    node ->
                            !node.equals(lostNode)
                                    && !simulation.server(node).dead
                                    && log.held(node) >= log.begin();
            boolean goesOn =
                    !log.isMember(lostNode)
                            || log.isMajority(log.end(), left)
                                    && log.isMajority(log.committed, left)
                                    && log.members().stream()
                                            .filter(left)
                                            .anyMatch(node -> log.held(node) >= log.committed);
            if (!goesOn) {
                return false;
            }
        }
        return true;
    }

    /** Of a range's leader, up to what is on its disk. */
    private void dropLog() {
        for (SimulatedLog log : simulation.logs.values()) {
            for (SimulatedServer server : simulation.servers.values()) {
                server.find(log.rangeId)
                        .filter(replica -> replica.isLeading() && !replica.isFrozen())
                        .flatMap(replica -> server.store.durable(log.rangeId))
                        .ifPresent(
                                durable ->
                                        log.dropped =
                                                Math.max(log.dropped, durable.appliedIndex()));
            }
        }
    }

    private void operate() {
        Optional<SimulatedManager> manager = simulation.managers.leader();
        ClusterMap map = simulation.managers.map();
        List<RangeDescriptor> ranges = List.copyOf(map.ranges().inKeyOrder());
        if (manager.isEmpty() || ranges.isEmpty()) {
            return;
        }
        RangeDescriptor range = ranges.get(random.nextInt(ranges.size()));
        NodeId to = anyNode();
        switch (random.nextInt(7)) {
            case 0, 1 -> {
                if (ranges.size() < RANGES_MAX) {
                    split(manager.get());
                }
            }
            case 2, 3, 4 ->
                    manager.get()
                            .operate(
                                    view ->
                                            MergeRequests.merge(
                                                    view, range.rangeId(), Optional.empty()));
            case 5 ->
                    manager.get()
                            .operate(
                                    view ->
                                            OperatorRequests.moveReplica(
                                                    view,
                                                    range.rangeId(),
                                                    Optional.of(
                                                            range.members()
                                                                    .get(
                                                                            random.nextInt(
                                                                                    range.members()
                                                                                            .size()))),
                                                    Optional.of(to)));
            default ->
                    manager.get()
                            .operate(
                                    view -> OperatorRequests.moveLeader(view, range.rangeId(), to));
        }
    }

    private void split(SimulatedManager manager) {
        Key splitPoint = simulation.keys.anySplitPoint();
        RangeDescriptor range =
                simulation.managers.map().ranges().from(splitPoint).iterator().next();
        if (random.nextInt(3) == 0) {
            int parts = 3 + random.nextInt(3);
            manager.operate(
                    view ->
                            SplitRequests.split(
                                    view,
                                    range.rangeId(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    parts));
            return;
        }
        Optional<NodeId> childLeader =
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(range.members().get(random.nextInt(range.members().size())));
        Optional<Key> where = random.nextInt(4) == 0 ? Optional.empty() : Optional.of(splitPoint);
        manager.operate(view -> SplitRequests.split(view, range.rangeId(), where, childLeader, 0));
    }

    private NodeId anyNode() {
        List<NodeId> all = List.copyOf(simulation.servers.keySet());
        return all.get(random.nextInt(all.size()));
    }
}

package io.parterre.chaos.simulation;

import io.parterre.entity.Ticks;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Mutation;
import io.parterre.server.command.Member;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.rows.FreeKeys;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A node: what it does as {@code Replicas} does, without threads, files and sockets. */
final class SimulatedServer {
    private static final long TICK_MILLIS = 500;
    private static final int FOLLOWING_TOLD = 4;

    final Simulation simulation;
    final NodeId nodeId;
    final ClusterNode node;
    final SplittableRandom random;
    final NodeStore store = new NodeStore();
    final Replication replication;
    final Installs installs;
    final RangeChanges changes;
    final ServerOrders orders;
    final ServerReports reports;
    private final long skewMillis;

    final Map<RangeId, SimulatedReplica> replicas = new TreeMap<>();
    private final Map<RangeId, SimulatedReplica> absorbed = new TreeMap<>();
    private final Map<RangeId, Long> removalsMillis = new TreeMap<>();

    boolean up = true;

    /** It never comes back. */
    boolean dead;

    /** Of the process that runs. */
    long start = 1;

    SimulatedServer(Simulation simulation, String name, String zone) {
        this.simulation = simulation;
        this.random = simulation.random;
        this.nodeId = new NodeId(name);
        this.node = new ClusterNode(nodeId, name + ":2", name + ":1", zone, "");
        this.skewMillis = random.nextInt(300);
        this.replication = new Replication(this);
        this.installs = new Installs(this);
        this.changes = new RangeChanges(this);
        this.orders = new ServerOrders(this);
        this.reports = new ServerReports(this);
    }

    void begin() {
        tick();
        reports.begin();
    }

    long nowMillis() {
        return simulation.timeline.nowMillis();
    }

    /** The node's own clock. */
    long stampTicks() {
        return (nowMillis() + skewMillis) * (Ticks.PER_SECOND / 1_000);
    }

    /** Unless the process ends before. */
    void later(long millis, Runnable happens) {
        long started = start;
        simulation.timeline.in(
                millis,
                () -> {
                    if (up && start == started) {
                        happens.run();
                    }
                });
    }

    /** Unless the process or the replica ends before. */
    void later(long millis, SimulatedReplica replica, Runnable happens) {
        later(
                millis,
                () -> {
                    if (!replica.gone) {
                        happens.run();
                    }
                });
    }

    private void tick() {
        for (SimulatedReplica replica : List.copyOf(replicas.values())) {
            replication.tick(replica);
            changes.align(replica);
        }
        later(TICK_MILLIS, this::tick);
    }

    Optional<SimulatedReplica> find(RangeId rangeId) {
        return up ? Optional.ofNullable(replicas.get(rangeId)) : Optional.empty();
    }

    // ---- the end of the process, and its start ----

    void crash() {
        if (!up) {
            return;
        }
        simulation.trace.note("crashes", nodeId);
        simulation.stats.crashes++;
        up = false;
        replicas.values().forEach(replica -> replica.gone = true);
        replicas.clear();
        absorbed.clear();
        removalsMillis.clear();
        changes.forget();
        orders.forget();
        installs.forget();
        store.fallBack();
    }

    void restart() {
        if (up || dead) {
            return;
        }
        simulation.trace.note("starts", nodeId);
        up = true;
        start++;
        for (StoredReplica stored : store.replicas().values()) {
            if (stored.phase() == ReplicaPhase.ABSORBED) {
                dropLog(stored.descriptor().rangeId());
                store.remove(stored.descriptor().rangeId());
            }
        }
        for (StoredReplica stored : store.replicas().values()) {
            if (stored.phase() == ReplicaPhase.REMOVING) {
                dropLog(stored.descriptor().rangeId());
                delete(stored.descriptor());
            }
        }
        store.flush();
        for (StoredReplica stored : store.replicas().values()) {
            SimulatedReplica replica = add(stored);
            join(replica);
        }
        begin();
    }

    private void dropLog(RangeId rangeId) {
        simulation.log(rangeId).held.remove(nodeId);
    }

    private SimulatedReplica add(StoredReplica stored) {
        RangeId rangeId = stored.descriptor().rangeId();
        SimulatedReplica replica = new SimulatedReplica(this, stored, simulation.log(rangeId));
        replicas.put(rangeId, replica);
        return replica;
    }

    /** It takes part in its Raft group from here on. */
    private void join(SimulatedReplica replica) {
        if (replica.hasGroup) {
            return;
        }
        SimulatedLog log = replica.log;
        if (!log.held.containsKey(nodeId)) {
            boolean isFirst = replica.phase() == ReplicaPhase.BORN;
            if (isFirst) {
                // A log must never lie there without the rows it goes on from.
                store.flush();
                replica.heardMillis = nowMillis() - 100_000;
            }
            log.held.put(nodeId, isFirst ? replica.appliedIndex() : -1);
        }
        // A log that ends before the rows do is brought up to them.
        log.held.merge(nodeId, replica.appliedIndex(), Math::max);
        replica.hasGroup = true;
        replica.known = replica.appliedIndex();
        replica.term = 1;
    }

    // ---- what applying entries brings about ----

    void applied(SimulatedReplica replica, Mutation mutation) {
        if (mutation instanceof Mutation.PutChild put) {
            born(replica, put.range());
        } else if (mutation instanceof Mutation.AbsorbNeighbour taken) {
            RangeId rightId = taken.range().descriptor().rangeId();
            simulation.trace.note("absorbed", nodeId, replica.rangeId, rightId);
            simulation.faults.moment(this);
            absorbed(rightId);
            buryLater(rightId);
        } else if (mutation instanceof Mutation.PutRange put) {
            simulation.trace.note(
                    "range changed", nodeId, replica.rangeId, put.range().descriptor());
            simulation.faults.moment(this);
            reports.soon();
        }
    }

    private void born(SimulatedReplica parent, HostedRange range) {
        RangeId childId = range.descriptor().rangeId();
        simulation.logs.computeIfAbsent(
                childId,
                id ->
                        new SimulatedLog(
                                childId,
                                parent.stored.lastTouched(),
                                Set.copyOf(range.descriptor().members())));
        StoredReplica stored = store.replicas().get(childId);
        if (stored == null) {
            // Not born on this node.
            return;
        }
        simulation.trace.note("born", nodeId, parent.rangeId, childId);
        SimulatedReplica child = add(stored);
        later(
                random.nextInt(30),
                child,
                () -> {
                    join(child);
                    if (parent.isLeading()) {
                        changes.childCreated(child);
                    }
                });
    }

    void absorbed(RangeId rangeId) {
        SimulatedReplica gone = replicas.remove(rangeId);
        if (gone != null) {
            gone.stored = gone.stored.in(ReplicaPhase.ABSORBED);
            store.put(gone.stored);
            gone.gone = true;
            absorbed.put(rangeId, gone);
            simulation.invariants.touched(gone);
        }
    }

    void buryLater(RangeId rangeId) {
        later(random.nextInt(200), () -> bury(rangeId));
    }

    private void bury(RangeId rangeId) {
        if (absorbed.containsKey(rangeId)) {
            store.flush();
            later(
                    random.nextInt(20),
                    () -> {
                        if (absorbed.remove(rangeId) != null) {
                            dropLog(rangeId);
                            store.remove(rangeId);
                            store.flush();
                        }
                    });
        }
    }

    RuntimeException noNeighbour(SimulatedReplica left, RangeDescriptor right) {
        // As any replica whose log cannot be applied: it is reported, and rebuilt by copy.
        throw new Violation("no neighbour on " + nodeId + ": " + left + ", to absorb " + right);
    }

    // ---- replicas that come and go by order ----

    /** Whether there was none. */
    boolean host(HostedRange range) {
        RangeId rangeId = range.descriptor().rangeId();
        if (range.member(nodeId).isEmpty() || isInTheWay(range.descriptor())) {
            return false;
        }
        simulation.logs.computeIfAbsent(
                rangeId,
                id -> new SimulatedLog(rangeId, 10, Set.copyOf(range.descriptor().members())));
        return keep(new StoredReplica(range, ReplicaPhase.BORN, 10, 0, StoredReplica.NOTHING));
    }

    boolean joins(HostedRange range) {
        return simulation.logs.containsKey(range.descriptor().rangeId())
                && !isInTheWay(range.descriptor())
                && keep(
                        new StoredReplica(
                                range, ReplicaPhase.JOINING, -1, 0, StoredReplica.NOTHING));
    }

    private boolean keep(StoredReplica fresh) {
        RangeId rangeId = fresh.descriptor().rangeId();
        if (replicas.containsKey(rangeId)) {
            join(replicas.get(rangeId));
            return false;
        }
        simulation.trace.note("keeps", nodeId, fresh.descriptor(), fresh.phase().name());
        store.put(fresh);
        store.flush();
        join(add(fresh));
        return true;
    }

    private boolean isInTheWay(RangeDescriptor range) {
        return !replicas.containsKey(range.rangeId())
                        && replicas.values().stream()
                                .anyMatch(
                                        each -> each.descriptor().bounds().overlaps(range.bounds()))
                || store.replicas().containsKey(range.rangeId())
                        && !replicas.containsKey(range.rangeId());
    }

    /** Gives a replica up, if the range has gone on without this node. */
    boolean remove(RangeId rangeId, Generation generation) {
        Optional<SimulatedReplica> found = find(rangeId);
        if (found.isEmpty() || mayBeAbsorbed(found.get())) {
            return false;
        }
        SimulatedReplica replica = found.get();
        removalsMillis.remove(rangeId);
        int compared = replica.descriptor().generation().compareTo(generation);
        if (compared > 0 || compared == 0 && replica.descriptor().members().contains(nodeId)) {
            return false;
        }
        simulation.trace.note("gives up", nodeId, replica.descriptor());
        replica.stored = replica.stored.in(ReplicaPhase.REMOVING);
        store.put(replica.stored);
        store.flush();
        replica.gone = true;
        replicas.remove(rangeId);
        later(
                random.nextInt(100),
                () -> {
                    dropLog(rangeId);
                    delete(replica.descriptor());
                    store.flush();
                });
        return true;
    }

    private boolean mayBeAbsorbed(SimulatedReplica replica) {
        long orderedMillis = removalsMillis.computeIfAbsent(replica.rangeId, id -> nowMillis());
        Key start = replica.descriptor().bounds().start();
        return replicas.values().stream()
                .filter(each -> each.hasGroup)
                .filter(each -> each.descriptor().bounds().endExclusive().equals(start))
                .anyMatch(left -> left.synced() < orderedMillis);
    }

    /** All rows of a replica but those that another one has. */
    private void delete(RangeDescriptor range) {
        List<KeyRange> others = new ArrayList<>();
        for (StoredReplica each : store.replicas().values()) {
            if (!each.descriptor().rangeId().equals(range.rangeId())) {
                others.add(each.descriptor().bounds());
            }
        }
        store.empty(FreeKeys.of(range.bounds(), others));
        store.remove(range.rangeId());
    }

    /** What was cut short goes on. */
    void mend() {
        List.copyOf(absorbed.keySet()).forEach(this::bury);
        List.copyOf(replicas.values()).forEach(this::join);
    }

    /** What it can tell a caller that asked for keys of a range and was wrong about it. */
    List<RangeDescriptor> descriptorsForRedirect(RangeId asked, KeyRange keys) {
        Set<RangeDescriptor> told = new LinkedHashSet<>();
        Optional<RangeDescriptor> next = find(asked).map(SimulatedReplica::descriptor);
        for (int i = 0; next.isPresent() && i <= FOLLOWING_TOLD; i++) {
            told.add(next.get());
            Key end = next.get().bounds().endExclusive();
            next =
                    replicas.values().stream()
                            .map(SimulatedReplica::descriptor)
                            .filter(each -> each.bounds().start().equals(end))
                            .findFirst();
        }
        for (SimulatedReplica each : replicas.values()) {
            if (each.descriptor().bounds().overlaps(keys)) {
                told.add(each.descriptor());
            }
        }
        return List.copyOf(told);
    }

    Member asMember() {
        return member(node);
    }

    static Member member(ClusterNode node) {
        return new Member(node.nodeId(), node.raftAddress(), node.serviceAddress());
    }
}

package io.parterre.chaos.simulation;

import io.parterre.manager.plan.policy.CopysetPolicy;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.MergePolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.QuotaPolicy;
import io.parterre.manager.plan.policy.SplitPolicy;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.simulator.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One run: a cluster is founded, serves, splits, merges and moves while this and that fails, and
 * comes to rest at last. The same seed gives the same run.
 */
final class Simulation {
    private static final int SERVERS_MIN = 3;
    private static final int SERVERS_MAX = 5;
    private static final int FRONT_ENDS = 2;
    private static final int REGISTERS = 12;
    private static final int LOOKS_EVERY = 500;
    private static final long REST_MILLIS_MAX = 15 * 60_000;
    private static final int TRACED = 400;

    final SplittableRandom random;
    final Timeline timeline = new Timeline();
    final EventTrace trace;
    final Statistics stats = new Statistics();
    final Conditions conditions;
    final Policy policy;
    final SimulatedKeys keys;
    final SimulatedLoad load;
    final Network network;
    final Invariants invariants;
    final Map<NodeId, SimulatedServer> servers = new TreeMap<>();
    final Map<RangeId, SimulatedLog> logs = new TreeMap<>();
    final SimulatedManagers managers;
    final List<FrontEnd> frontEnds = new ArrayList<>();
    final Faults faults;

    Simulation(long seed) {
        random = new SplittableRandom(seed);
        trace = new EventTrace(TRACED, timeline::nowMillis);
        conditions = new Conditions(random);
        keys = new SimulatedKeys(random);
        load = new SimulatedLoad(this);
        network = new Network(this);
        invariants = new Invariants(this);
        managers = new SimulatedManagers(this);
        policy = policy();
        int count = SERVERS_MIN + random.nextInt(SERVERS_MAX - SERVERS_MIN + 1);
        for (int i = 1; i <= count; i++) {
            SimulatedServer server = new SimulatedServer(this, "s" + i, "z" + i % 3);
            servers.put(server.nodeId, server);
        }
        for (int i = 1; i <= FRONT_ENDS; i++) {
            frontEnds.add(new FrontEnd(this, i));
        }
        faults = new Faults(this);
    }

    /** Impatient, so that much is decided in little time. */
    private Policy policy() {
        boolean byLoad = random.nextBoolean();
        return new Policy(
                3,
                Duration.ofSeconds(4),
                Duration.ofSeconds(20),
                8,
                2,
                16,
                1 + random.nextInt(2),
                Duration.ofSeconds(20),
                100,
                new SplitPolicy(
                        byLoad, SimulatedLoad.SPLIT_ABOVE, 700, 1L << 40, Duration.ofSeconds(2), 4),
                new MergePolicy(byLoad, Duration.ofSeconds(10), 2, 1),
                CopysetPolicy.DEFAULT,
                QuotaPolicy.DEFAULT,
                DiskPolicy.DEFAULT);
    }

    SimulatedServer server(NodeId nodeId) {
        return servers.get(nodeId);
    }

    SimulatedLog log(RangeId rangeId) {
        return logs.get(rangeId);
    }

    int number(NodeId nodeId) {
        return List.copyOf(servers.keySet()).indexOf(nodeId);
    }

    /** So many events, and then until all is at rest. */
    void run(long events) {
        managers.begin();
        servers.values().forEach(SimulatedServer::begin);
        frontEnds.forEach(frontEnd -> frontEnd.begin(REGISTERS));
        faults.begin();
        while (timeline.count() < events) {
            step();
        }
        faults.end();
        frontEnds.forEach(FrontEnd::end);
        trace.note("calm");
        long untilMillis = timeline.nowMillis() + REST_MILLIS_MAX;
        long lookMillis = 0;
        Optional<String> unrest = Optional.of("not looked at");
        while (unrest.isPresent()) {
            step();
            if (timeline.nowMillis() > lookMillis) {
                lookMillis = timeline.nowMillis() + 500;
                unrest = invariants.unrest();
                Violation.unless(
                        timeline.nowMillis() < untilMillis,
                        "not at rest after %s s: %s",
                        REST_MILLIS_MAX / 1_000,
                        unrest);
            }
        }
        invariants.everythingIsThere();
        stats.runs = 1;
        stats.events = timeline.count();
        stats.simulatedMillis = timeline.nowMillis();
    }

    /** How everything stands, to see why it does not get on. */
    List<String> standing() {
        List<String> told = new ArrayList<>();
        told.add("map: " + managers.map().ranges());
        for (SimulatedLog log : logs.values()) {
            told.add("log of " + log);
            for (SimulatedServer server : servers.values()) {
                server.find(log.rangeId).ifPresent(replica -> told.add("  " + replica));
            }
        }
        return told;
    }

    private void step() {
        timeline.step();
        invariants.afterEvent();
        if (timeline.count() % LOOKS_EVERY == 0) {
            invariants.everythingIsReadable();
        }
    }
}

package io.parterre.simulator;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.NodeState;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** Runs a scenario and measures the result. Not thread-safe. */
public final class ScenarioRun {
    private static final int REPLICAS = 3;

    /** Moments of a timeline, apart from one more for each event. */
    private static final int MOMENTS = 40;

    private static final int LAST_MINUTE = 60;

    private final Scenario scenario;
    private final SimCluster cluster;
    private final Consumer<ScenarioOutcome.Moment> watcher;
    private final List<ScenarioOutcome.Moment> timeline = new ArrayList<>();
    private final List<String> eventsSince = new ArrayList<>();
    private List<LoadShape> loads = List.of();
    private int nodes;

    private int changesBeforeSettled;
    private long lastBusy;
    private long overloadedNodeSeconds;
    private int movesAtOnce;
    private int movesOfANodeAtOnce;
    private long lackingSeconds;
    private final Mean settledRatio = new Mean();
    private final Mean lastRatio = new Mean();

    private static final class Mean {
        private double sum;
        private int count;

        void add(double value) {
            sum += value;
            count++;
        }

        double value() {
            return count == 0 ? 1 : sum / count;
        }
    }

    private ScenarioRun(Scenario scenario, long seed, Consumer<ScenarioOutcome.Moment> watcher) {
        this.scenario = scenario;
        this.watcher = watcher;
        Scenario.Cluster shape = scenario.cluster();
        nodes = shape.nodes();
        List<ClusterNode> first = SimMaps.nodes(nodes, shape.zones());
        cluster =
                new SimCluster(
                        SimMaps.of(
                                first,
                                SimMaps.members(first, shape.ranges(), REPLICAS, new Random(seed))),
                        scenario.policy().policy(),
                        seed);
        cluster.network(scenario.network());
        cluster.reportsWithNoise(shape.noisePercent());
        cluster.holds(bounds -> shape.bytesPerRange());
        cluster.isAsked(new SimLoad());
        if (shape.bearsPerNode() > 0) {
            cluster.bearsPerNode(shape.bearsPerNode());
        }
    }

    /**
     * Runs the scenario.
     *
     * @param seed of everything random in it
     * @param watcher called with each moment of the timeline as it comes
     */
    public static ScenarioOutcome run(
            Scenario scenario, long seed, Consumer<ScenarioOutcome.Moment> watcher) {
        if (scenario.isOfPlannersOnly()) {
            return PlannersRun.run(scenario, seed);
        }
        return new ScenarioRun(scenario, seed, watcher).run();
    }

    private ScenarioOutcome run() {
        Optional<String> broken = Optional.empty();
        try {
            for (int second = 1; second <= scenario.seconds(); second++) {
                second(second);
            }
        } catch (BrokenInvariantException e) {
            broken = Optional.of(String.valueOf(e.getMessage()));
        }
        return ScenarioOutcome.of(scenario, timeline, measures(), broken);
    }

    private void second(int second) {
        boolean asked = false;
        for (ScenarioEvent event : scenario.events()) {
            if (event.at() == second) {
                happens(event);
                cluster.externalChange();
                eventsSince.add(event.words());
                asked |= event.what() == ScenarioEvent.What.ASK;
            }
        }
        if (asked || loads.stream().anyMatch(each -> each.changesAt(second))) {
            SimLoad load = new SimLoad();
            loads.forEach(each -> each.addTo(load, second));
            cluster.isAsked(load);
        }
        cluster.step();
        look(second);
        if (second == scenario.seconds() - scenario.settledSeconds()) {
            changesBeforeSettled = changes();
        }
    }

    private int changes() {
        return cluster.splitsBegun()
                + cluster.mergesBegun()
                + cluster.movesBegun()
                + cluster.leadsMoved();
    }

    private void happens(ScenarioEvent event) {
        NodeId node = SimMaps.id(event.node());
        switch (event.what()) {
            case ASK -> loads = event.loads();
            case ADD_NODES -> {
                for (int i = 0; i < event.count(); i++) {
                    nodes++;
                    String zone = SimMaps.zone(nodes, scenario.cluster().zones());
                    cluster.addNode(SimMaps.node(SimMaps.id(nodes), zone));
                }
            }
            case CRASH_NODE -> cluster.crash(node);
            case WIPE_NODE -> cluster.wipe(node);
            case RESTART_NODE -> cluster.restart(node);
            case CRASH_ZONE -> inZone(event.zone()).forEach(cluster::crash);
            case RESTART_ZONE -> inZone(event.zone()).forEach(cluster::restart);
            case DRAIN_NODE -> cluster.apply(new MapCommand.SetNodeState(node, NodeState.DRAINING));
            case CHANGE_MANAGER -> cluster.changeManager();
            case LOSE -> cluster.loses(event.count());
        }
    }

    private List<NodeId> inZone(int zone) {
        return cluster.map().nodes().stream()
                .filter(node -> node.zone().equals("z" + zone))
                .map(ClusterNode::nodeId)
                .toList();
    }

    private List<NodeId> up() {
        return cluster.map().nodes().stream()
                .map(ClusterNode::nodeId)
                .filter(cluster::isUp)
                .toList();
    }

    private void look(int second) {
        Map<NodeId, Double> asked = cluster.askedByNode();
        double sum = 0;
        double most = 0;
        int overloaded = 0;
        double bears = scenario.cluster().bearsPerNode();
        for (double each : asked.values()) {
            sum += each;
            most = Math.max(most, each);
            if (bears > 0 && each > bears) {
                overloaded++;
            }
        }
        double mean = sum / Math.max(1, up().size());
        double ratio = mean == 0 ? 1 : most / mean;
        overloadedNodeSeconds += overloaded;
        if (second > scenario.seconds() - scenario.settledSeconds()) {
            settledRatio.add(ratio);
        }
        if (second > scenario.seconds() - LAST_MINUTE) {
            lastRatio.add(ratio);
        }
        int lacking = cluster.lacking(REPLICAS);
        lackingSeconds += lacking > 0 ? 1 : 0;
        lastBusy = cluster.isQuiet() ? lastBusy : second;
        countMoves();
        if (!eventsSince.isEmpty() || second % Math.max(1, scenario.seconds() / MOMENTS) == 0) {
            moment(second, mean, most, overloaded, lacking);
        }
    }

    private void countMoves() {
        Map<NodeId, Integer> byNode = new HashMap<>();
        for (Move move : cluster.map().moves()) {
            move.add().ifPresent(node -> byNode.merge(node, 1, Integer::sum));
            move.remove()
                    .filter(node -> !move.add().equals(Optional.of(node)))
                    .filter(cluster::isUp)
                    .ifPresent(node -> byNode.merge(node, 1, Integer::sum));
        }
        movesAtOnce = Math.max(movesAtOnce, cluster.map().moves().size());
        for (int count : byNode.values()) {
            movesOfANodeAtOnce = Math.max(movesOfANodeAtOnce, count);
        }
    }

    private void moment(int second, double mean, double most, int overloaded, int lacking) {
        ScenarioOutcome.Moment moment =
                new ScenarioOutcome.Moment(
                        second,
                        List.copyOf(eventsSince),
                        up().size(),
                        cluster.map().ranges().size(),
                        cluster.splitsBegun(),
                        cluster.mergesBegun(),
                        cluster.movesBegun(),
                        cluster.leadsMoved(),
                        mean,
                        most,
                        overloaded,
                        lacking);
        eventsSince.clear();
        timeline.add(moment);
        watcher.accept(moment);
    }

    private Map<Measure, Double> measures() {
        Map<Measure, Double> measures = new EnumMap<>(Measure.class);
        measures.put(Measure.SPLITS, (double) cluster.splitsBegun());
        measures.put(Measure.MERGES, (double) cluster.mergesBegun());
        measures.put(Measure.MOVES, (double) cluster.movesBegun());
        measures.put(Measure.LEADS_MOVED, (double) cluster.leadsMoved());
        measures.put(Measure.RANGES, (double) cluster.map().ranges().size());
        measures.put(Measure.CHANGES_WHEN_SETTLED, (double) changes() - changesBeforeSettled);
        measures.put(Measure.TO_AND_FRO, (double) cluster.toAndFro());
        measures.put(Measure.CONVERGED_AFTER, (double) Math.max(0, lastBusy - lastEvent()));
        measures.put(Measure.MOST_TO_MEAN, lastRatio.value());
        measures.put(Measure.WORST_TO_MEAN, settledRatio.value());
        measures.put(Measure.OVERLOADS_BY_MOVES, (double) cluster.overloadsByMoves());
        measures.put(Measure.OVERLOADED_NODE_SECONDS, (double) overloadedNodeSeconds);
        measures.put(Measure.MOVES_AT_ONCE, (double) movesAtOnce);
        measures.put(Measure.MOVES_OF_A_NODE_AT_ONCE, (double) movesOfANodeAtOnce);
        measures.put(Measure.REPLICAS_SPREAD, (double) replicasSpread());
        SharedNodes.of(cluster.map().ranges(), up().size()).measure(measures);
        measures.put(Measure.LACKING, (double) cluster.lacking(REPLICAS));
        measures.put(Measure.LACKING_SECONDS, (double) lackingSeconds);
        measures.put(Measure.ILL, isIll() ? 1.0 : 0.0);
        return measures;
    }

    private long lastEvent() {
        return scenario.events().stream().mapToLong(ScenarioEvent::at).max().orElse(0);
    }

    private int replicasSpread() {
        int most = 0;
        int fewest = Integer.MAX_VALUE;
        for (NodeId node : up()) {
            int held = cluster.map().ranges().onNode(node).size();
            most = Math.max(most, held);
            fewest = Math.min(fewest, held);
        }
        return Math.max(0, most - fewest);
    }

    private boolean isIll() {
        try {
            cluster.assertWellReplicated(REPLICAS);
            return false;
        } catch (BrokenInvariantException e) {
            return true;
        }
    }
}

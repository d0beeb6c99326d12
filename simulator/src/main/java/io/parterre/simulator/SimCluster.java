package io.parterre.simulator;

import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Nodes that carry out orders, and a manager that gives them, in simulated seconds; what must hold
 * is checked as it goes. The same calls with the same seed give the same run. For one thread.
 */
public final class SimCluster {
    /** Impatient, so that tests are over soon. */
    public static final Policy POLICY =
            Policy.DEFAULT
                    .withLiveness(Duration.ofSeconds(3), Duration.ofSeconds(20))
                    .withMoves(8, 2);

    /** A cluster has settled if nothing happens for so long. */
    private static final int QUIET_SECONDS = 30;

    private final SimState state;
    private final SimOrders orders;
    private final SimReports reports;
    private final SimChecks checks;
    private final SimChanges ledRanges;
    private final Changes changes = new Changes();
    private final Overloads overloads;
    private final SimManager manager;

    /** Nodes as the map has them, all up, with the replicas that it gives them. */
    public SimCluster(ClusterMap map, Policy policy, long seed) {
        state = new SimState(map, seed);
        ledRanges = new SimChanges(state);
        orders = new SimOrders(state, ledRanges);
        reports = new SimReports(state);
        checks = new SimChecks(state);
        overloads = new Overloads(state);
        manager = new SimManager(state, map, policy, changes);
    }

    /** A second passes. */
    public void step() {
        state.second++;
        state.elect();
        overloads.before(changed());
        orders.carryOut();
        state.pass();
        overloads.after(changed());
        state.elect();
        state.followLogs();
        for (SimNode node : state.nodes.values()) {
            if (node.up && !state.network.loses(state.random)) {
                List<Order> answer = manager.hears(reports.of(node, manager.map));
                if (!state.network.loses(state.random)) {
                    orders.send(node.nodeId(), answer);
                }
            }
        }
        manager.round();
        checks.always(manager.map);
    }

    /** Grows with each change of who leads what, but for elections. */
    private int changed() {
        return orders.leadsMoved + state.groups.size() + changes.splits + changes.merges;
    }

    /** So many of a hundred reports and answers are lost. */
    public void loses(int percent) {
        state.network = state.network.withLoss(percent);
    }

    public void network(SimNetwork network) {
        state.network = network;
    }

    /** Numbers that leaders report are wrong by so much at most. */
    public void reportsWithNoise(int percent) {
        state.noisePercent = percent;
    }

    /** More than this is too much for one node. */
    public void bearsPerNode(double operationsPerSecond) {
        overloads.capacity = operationsPerSecond;
    }

    /** So many of a hundred merges are undone by the leader that has begun them. */
    public void undoesJoins(int percent) {
        ledRanges.stallPercent = percent;
    }

    /** What ranges hold from now on. */
    public void holds(ToLongFunction<KeyRange> bytesOf) {
        state.bytes = bytesOf;
        state.nodes.values().forEach(node -> node.changed = true);
    }

    /**
     * How large the node's disk is from now on.
     *
     * @param otherBytes in use by other things than replicas
     */
    public void disk(NodeId nodeId, long totalBytes, long otherBytes) {
        SimNode node = state.nodes.get(nodeId);
        node.diskBytes = totalBytes;
        node.otherBytes = otherBytes;
        node.changed = true;
    }

    /** What partitions hold from now on, in all ranges. */
    public void holds(SimRows rows) {
        state.rows = Optional.of(rows);
        holds(rows::bytes);
    }

    /** What clients ask from now on. */
    public void isAsked(SimLoad asked) {
        state.load = Optional.of(asked);
        if (state.network.reportsKeptSeconds() == 1) {
            state.nodes.values().forEach(node -> node.changed = true);
        }
    }

    public void apply(MapCommand command) {
        manager.apply(command);
    }

    public void addNode(ClusterNode node) {
        state.nodes.put(node.nodeId(), new SimNode(node));
    }

    /** What it was ordered and has not done goes with the process. */
    public void crash(NodeId node) {
        state.nodes.get(node).end();
        orders.forget(node);
        for (SimGroup group : state.groups.values()) {
            group.leader = group.leader.filter(leader -> !leader.equals(node));
        }
        state.touchAllOf(node);
    }

    public void restart(NodeId node) {
        SimNode started = state.nodes.get(node);
        if (!started.up) {
            started.replicas.values().forEach(replica -> replica.held = replica.damaged);
        }
        started.up = true;
        started.rebuiltStore = false;
        state.touchAllOf(node);
    }

    /** It comes back with an empty folder. */
    public void wipe(NodeId node) {
        crash(node);
        state.nodes.get(node).forgetAll(state.second);
        restart(node);
    }

    /** A block of its store reads differently than it was written; noticed at once. */
    public void damageStore(NodeId node) {
        crash(node);
        state.nodes.get(node).storeDamaged = true;
        restart(node);
    }

    /** Entries of some log read differently than they were written; it goes on until it is told. */
    public void damageLogs(NodeId node, int percent) {
        for (SimReplica replica : state.nodes.get(node).replicas.values()) {
            replica.damaged |= state.random.nextInt(100) < percent;
        }
        state.touchAllOf(node);
    }

    /** Another manager leads, who knows the map and nothing else. */
    public void changeManager() {
        manager.change();
    }

    /** Ranges lose their majority by what the test does, not by what the manager does. */
    public void expectLosses() {
        checks.guarded = false;
    }

    public boolean isStoreDamaged(NodeId node) {
        return state.nodes.get(node).storeDamaged;
    }

    public boolean hasRebuiltStore(NodeId node) {
        return state.nodes.get(node).rebuiltStore;
    }

    public boolean isUp(NodeId node) {
        return state.nodes.get(node).up;
    }

    /** Whether every range would keep its majority without this node, whatever is under way. */
    public boolean bearsTheLossOf(NodeId node) {
        for (Map.Entry<RangeId, SimGroup> group : state.groups.entrySet()) {
            if (!bears(group.getKey(), group.getValue().members(), node)) {
                return false;
            }
        }
        for (Order order : orders.underWay()) {
            if (order instanceof Order.ChangeMembers change
                    && !bears(
                            change.rangeId(),
                            change.nodes().stream().map(ClusterNode::nodeId).toList(),
                            node)) {
                return false;
            }
        }
        return true;
    }

    private boolean bears(RangeId rangeId, List<NodeId> members, NodeId lost) {
        List<NodeId> left = members.stream().filter(member -> !member.equals(lost)).toList();
        return state.serving(rangeId, left) >= ClusterView.majority(members.size());
    }

    public ClusterMap map() {
        return manager.map;
    }

    public ClusterView view() {
        return manager.view();
    }

    public Plan plan() {
        return manager.plan();
    }

    public Instant now() {
        return manager.now();
    }

    public boolean isFrozen(RangeId rangeId) {
        SimGroup group = state.groups.get(rangeId);
        return group != null && group.isFrozen();
    }

    public Optional<NodeId> leaderOf(RangeId rangeId) {
        return Optional.ofNullable(state.groups.get(rangeId)).flatMap(group -> group.leader);
    }

    /** What is asked of the node's leads. */
    public double askedOf(NodeId node) {
        return askedByNode().getOrDefault(node, 0.0);
    }

    /** What is asked of nodes that lead, in operations a second. */
    Map<NodeId, Double> askedByNode() {
        return state.askedByNode();
    }

    /** How many ranges lack a member that serves. */
    int lacking(int replicas) {
        return state.lacking(replicas);
    }

    public int movesBegun() {
        return changes.moves;
    }

    public int leadsMoved() {
        return orders.leadsMoved;
    }

    public int splitsBegun() {
        return changes.splits;
    }

    public int mergesBegun() {
        return changes.merges;
    }

    /** Something came from outside: what undoes earlier changes may be right from here on. */
    void externalChange() {
        changes.externalChange();
    }

    /** Changes that took back what had been done less than half an hour before. */
    public int toAndFro() {
        return changes.toAndFro;
    }

    /** How often a change of who leads what made a node bear too much. */
    public int overloadsByMoves() {
        return overloads.byMoves;
    }

    /** Nothing under way, nothing planned, nothing on its way. */
    public boolean isQuiet() {
        ClusterMap map = manager.map;
        return map.moves().isEmpty()
                && map.splits().isEmpty()
                && map.merges().isEmpty()
                && !ledRanges.isAnyUnderWay()
                && !orders.isAnyUnderWay()
                && manager.plan().isQuiet();
    }

    /**
     * Runs until nothing has happened for a while.
     *
     * @throws BrokenInvariantException if that takes longer
     */
    public void settle(int secondsMax) {
        int quiet = 0;
        for (int i = 0; quiet < QUIET_SECONDS; i++) {
            Invariant.holds(i < secondsMax, "settles in time; left: %s", manager.plan());
            step();
            quiet = isQuiet() ? quiet + 1 : 0;
        }
    }

    /**
     * Every range is as it should be, and nothing is left that no range needs.
     *
     * @throws BrokenInvariantException if not
     */
    public void assertWellReplicated(int replicas) {
        checks.wellReplicated(manager.view(), replicas);
    }
}

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
 * Nodes that carry out orders, and a manager that gives them, in simulated seconds. Invariants are
 * checked in each step. The same calls with the same seed give the same run. Not thread-safe.
 */
public final class SimCluster {
    /** A policy with short times, so that tests end soon. */
    public static final Policy POLICY =
            Policy.DEFAULT
                    .withLiveness(Duration.ofSeconds(3), Duration.ofSeconds(20))
                    .withMoves(8, 2);

    /** A cluster has settled if nothing happens for this long. */
    private static final int QUIET_SECONDS = 30;

    private final SimState state;
    private final SimOrders orders;
    private final SimReports reports;
    private final SimChecks checks;
    private final SimChanges ledRanges;
    private final Changes changes = new Changes();
    private final Overloads overloads;
    private final SimManager manager;

    /** Creates the nodes of the map, all up, with the replicas that the map gives them. */
    public SimCluster(ClusterMap map, Policy policy, long seed) {
        state = new SimState(map, seed);
        ledRanges = new SimChanges(state);
        orders = new SimOrders(state, ledRanges);
        reports = new SimReports(state);
        checks = new SimChecks(state);
        overloads = new Overloads(state);
        manager = new SimManager(state, map, policy, changes);
    }

    /** Simulates one second. */
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

    /** Returns a number that grows with each change of leaderships, except by elections. */
    private int changed() {
        return orders.leadsMoved + state.groups.size() + changes.splits + changes.merges;
    }

    /** Sets the percentage of lost reports and answers. */
    public void loses(int percent) {
        state.network = state.network.withLoss(percent);
    }

    public void network(SimNetwork network) {
        state.network = network;
    }

    /** Sets the largest error of the figures that leaders report, in percent. */
    public void reportsWithNoise(int percent) {
        state.noisePercent = percent;
    }

    /** Sets the load above which a node is overloaded. */
    public void bearsPerNode(double operationsPerSecond) {
        overloads.capacity = operationsPerSecond;
    }

    /** Sets the percentage of merges that the leader undoes after it has begun them. */
    public void undoesJoins(int percent) {
        ledRanges.stallPercent = percent;
    }

    /** Sets the size of ranges from now on. */
    public void holds(ToLongFunction<KeyRange> bytesOf) {
        state.bytes = bytesOf;
        state.nodes.values().forEach(node -> node.changed = true);
    }

    /**
     * Sets the size of the node's disk from now on.
     *
     * @param otherBytes bytes in use by other data than replicas
     */
    public void disk(NodeId nodeId, long totalBytes, long otherBytes) {
        SimNode node = state.nodes.get(nodeId);
        node.diskBytes = totalBytes;
        node.otherBytes = otherBytes;
        node.changed = true;
    }

    /** Sets the size of partitions from now on, in all ranges. */
    public void holds(SimRows rows) {
        state.rows = Optional.of(rows);
        holds(rows::bytes);
    }

    /** Sets the load of clients from now on. */
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

    /** Crashes the node. Its pending orders are lost with the process. */
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

    /** Restarts the node with an empty folder. */
    public void wipe(NodeId node) {
        crash(node);
        state.nodes.get(node).forgetAll(state.second);
        restart(node);
    }

    /** Damages a block of the node's store, which the node notices at once. */
    public void damageStore(NodeId node) {
        crash(node);
        state.nodes.get(node).storeDamaged = true;
        restart(node);
    }

    /** Damages entries of some logs. Their replicas go on until they are ordered to be rebuilt. */
    public void damageLogs(NodeId node, int percent) {
        for (SimReplica replica : state.nodes.get(node).replicas.values()) {
            replica.damaged |= state.random.nextInt(100) < percent;
        }
        state.touchAllOf(node);
    }

    /** Makes another manager lead, which knows the map and nothing else. */
    public void changeManager() {
        manager.change();
    }

    /** Announces that the test, not the manager, makes ranges lose their majority. */
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

    /**
     * Returns whether every range would keep its majority without this node, whatever is in
     * progress.
     */
    public boolean toleratesLossOf(NodeId node) {
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

    /** Returns the load of the ranges that the node leads, in operations a second. */
    public double askedOf(NodeId node) {
        return askedByNode().getOrDefault(node, 0.0);
    }

    /** Returns the load of nodes that lead, in operations a second. */
    Map<NodeId, Double> askedByNode() {
        return state.askedByNode();
    }

    /** Returns the number of ranges with a member that does not serve. */
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

    /** An event came from outside, so a change that undoes an earlier one may now be right. */
    void externalChange() {
        changes.externalChange();
    }

    /** Returns the number of changes that undid one of the half hour before. */
    public int toAndFro() {
        return changes.toAndFro;
    }

    /** Returns how often a change of leaderships overloaded a node. */
    public int overloadsByMoves() {
        return overloads.byMoves;
    }

    /** Returns whether nothing is in progress, planned or in flight. */
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
     * @throws BrokenInvariantException if that takes longer than {@code secondsMax}
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
     * Checks that every range is as it should be, and no superfluous replica is left.
     *
     * @throws BrokenInvariantException if not
     */
    public void assertWellReplicated(int replicas) {
        checks.wellReplicated(manager.view(), replicas);
    }
}

package io.parterre.simulator;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * The true state of nodes and ranges, whatever the manager knows. Only ranges to which something
 * has happened are examined, so that a second of a large cluster at rest costs little.
 */
final class SimState {
    final Random random;
    final TreeMap<NodeId, SimNode> nodes = new TreeMap<>();
    final TreeMap<RangeId, SimGroup> groups = new TreeMap<>();
    final SimHistory history = new SimHistory();

    /** Ranges without a leader, with members that do not serve, or with replicas that lag. */
    final TreeSet<RangeId> restless = new TreeSet<>();

    SimNetwork network = SimNetwork.DEFAULT;
    Optional<SimLoad> load = Optional.empty();

    /** Largest error of the figures that leaders report, in percent. */
    int noisePercent;

    ToLongFunction<KeyRange> bytes = bounds -> 0;
    Optional<SimRows> rows = Optional.empty();
    long second;

    /** Events between two seconds. */
    final Timeline timeline = new Timeline();

    SimState(ClusterMap map, long seed) {
        random = new Random(seed);
        for (ClusterNode node : map.nodes()) {
            nodes.put(node.nodeId(), new SimNode(node));
        }
        for (RangeDescriptor range : map.ranges().inKeyOrder()) {
            groups.put(range.rangeId(), new SimGroup(range));
            if (map.isConfirmed(range.rangeId())) {
                for (NodeId member : range.members()) {
                    nodes.get(member)
                            .replicas
                            .put(
                                    range.rangeId(),
                                    new SimReplica(range.generation(), range.members(), false, 0));
                }
            }
        }
        restless.addAll(groups.keySet());
    }

    /** Runs the events of this second. */
    void pass() {
        timeline.runUntil((second + 1) * 1_000);
    }

    /** Returns the range with the nodes of its members. */
    HostedRange hosted(RangeDescriptor range) {
        return new HostedRange(
                range,
                range.members().stream().map(member -> nodes.get(member).asMember()).toList());
    }

    /** Returns whether a replica that joins the range has had the time to get its data. */
    boolean hasCopy(SimGroup group, NodeId joining) {
        SimReplica replica = nodes.get(joining).replicas.get(group.rangeId());
        return replica.since + network.copySeconds(bytes.applyAsLong(group.bounds())) <= second;
    }

    /** The node leads the range from now on. */
    void nowLeads(SimGroup group, NodeId node) {
        group.leader = Optional.of(node);
        group.ledSince = second;
        touch(group.rangeId());
    }

    /** Something happened to the range, which its members have to report. */
    void touch(RangeId rangeId) {
        SimGroup group = groups.get(rangeId);
        if (group != null) {
            restless.add(rangeId);
            group.members().forEach(member -> nodes.get(member).changed = true);
        }
    }

    /** Returns where a leader would split the range in this many parts. */
    List<Key> splitPoints(KeyRange bounds, int parts) {
        return rows.map(each -> each.splitPoints(bounds, parts))
                .orElseGet(
                        () ->
                                IntStream.range(1, parts)
                                        .mapToObj(
                                                part ->
                                                        bounds.start()
                                                                .append(new byte[] {(byte) part}))
                                        .toList());
    }

    void touchAllOf(NodeId node) {
        nodes.get(node).changed = true;
        for (Map.Entry<RangeId, SimGroup> entry : groups.entrySet()) {
            if (entry.getValue().members().contains(node)) {
                touch(entry.getKey());
            }
        }
    }

    boolean serves(RangeId rangeId, NodeId member) {
        SimNode node = nodes.get(member);
        SimReplica replica = node.replicas.get(rangeId);
        return node.up
                && !node.storeDamaged
                && replica != null
                && !replica.joining
                && !replica.held;
    }

    boolean isServingDamaged(RangeId rangeId, NodeId member) {
        return serves(rangeId, member) && nodes.get(member).replicas.get(rangeId).damaged;
    }

    int serving(RangeId rangeId, List<NodeId> members) {
        int count = 0;
        for (NodeId member : members) {
            if (serves(rangeId, member)) {
                count++;
            }
        }
        return count;
    }

    boolean isMajorityServing(RangeId rangeId, List<NodeId> members) {
        return serving(rangeId, members) >= majority(members.size());
    }

    void takes(SimNode node, RangeId rangeId, boolean whole) {
        SimGroup group = groups.get(rangeId);
        history.takes(node, rangeId, group.generation(), group.members(), whole, random, second);
    }

    void elect() {
        for (RangeId rangeId : restless) {
            SimGroup group = groups.get(rangeId);
            if (!isMajorityServing(rangeId, group.members())) {
                if (group.leader.isPresent()) {
                    group.leader = Optional.empty();
                    touchMembers(group);
                }
            } else if (group.leader.filter(node -> leads(rangeId, group, node)).isEmpty()) {
                List<NodeId> serving =
                        group.members().stream().filter(node -> serves(rangeId, node)).toList();
                nowLeads(group, serving.get(random.nextInt(serving.size())));
            }
        }
    }

    private boolean leads(RangeId rangeId, SimGroup group, NodeId node) {
        return group.members().contains(node) && serves(rangeId, node);
    }

    private void touchMembers(SimGroup group) {
        group.members().forEach(member -> nodes.get(member).changed = true);
    }

    /** Makes members that are up apply the log, some of them a little later. */
    void followLogs() {
        List<RangeId> settled = new ArrayList<>();
        for (RangeId rangeId : restless) {
            SimGroup group = groups.get(rangeId);
            if (group.leader.isEmpty()) {
                continue;
            }
            boolean level = true;
            for (NodeId member : group.members()) {
                boolean late = !group.isLedBy(member) && network.loses(random);
                if (serves(rangeId, member) && !late) {
                    takes(nodes.get(member), rangeId, false);
                } else {
                    level = false;
                }
            }
            if (level) {
                settled.add(rangeId);
            }
        }
        restless.removeAll(settled);
    }

    /** Returns the number of ranges with a member that does not serve. */
    int lacking(int replicas) {
        int count = 0;
        for (RangeId rangeId : restless) {
            List<NodeId> members = groups.get(rangeId).members();
            if (serving(rangeId, members) < Math.min(replicas, members.size())) {
                count++;
            }
        }
        return count;
    }

    /** Returns the load of nodes from the ranges that they lead, in operations a second. */
    Map<NodeId, Double> askedByNode() {
        Map<NodeId, Double> asked = new HashMap<>();
        for (SimGroup group : groups.values()) {
            if (group.leader.isPresent()) {
                asked.merge(group.leader.get(), group.operationsPerSecond(load), Double::sum);
            }
        }
        return asked;
    }
}

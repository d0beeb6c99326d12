package io.parterre.manager.plan;

import static io.parterre.manager.plan.ClusterView.majority;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.Move;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Nodes that carry out orders, and a manager that gives them, in simulated seconds. A range's group
 * is as lenient as it can be: it takes out any member its leader is told to, so that a majority is
 * kept by the manager's judgement or not at all. Deterministic by seed.
 */
final class SimCluster {
    static final Policy POLICY =
            Policy.DEFAULT
                    .withLiveness(Duration.ofSeconds(3), Duration.ofSeconds(20))
                    .withMoves(8, 2);

    private static final class Replica {
        Generation generation;
        List<NodeId> members;
        boolean joining;

        /** Its log; it serves all the same until it is started again. */
        boolean damaged;

        boolean held;

        Replica(Generation generation, List<NodeId> members, boolean joining) {
            this.generation = generation;
            this.members = members;
            this.joining = joining;
        }
    }

    private static final class Node {
        ClusterNode self;
        boolean up = true;

        /** It serves nothing, and what it holds is there. */
        boolean storeDamaged;

        /** Since it was last started by the test. */
        boolean beganAnew;

        final TreeMap<RangeId, Replica> replicas = new TreeMap<>();

        Node(ClusterNode self) {
            this.self = self;
        }
    }

    /** What a range's log says. */
    private static final class Group {
        Generation generation;
        List<NodeId> members;
        KeyRange bounds;
        long ledSince;
        Optional<RangeId> frozenFor = Optional.empty();
        Optional<NodeId> leader = Optional.empty();

        Group(RangeDescriptor range) {
            generation = range.generation();
            bounds = range.bounds();
            members = range.members();
        }
    }

    private record Due(long at, NodeId node, Order order) {}

    /** A range that was cut when its log came to this generation. */
    private record Cut(RangeId parent, Generation generation, RangeId child) {}

    /** A range that was absorbed when the other one's log came to this generation. */
    private record Absorbed(RangeId left, Generation generation, RangeId right) {}

    /** A right range is frozen, and its leader, who leads both, waits for the members. */
    private record Join(
            long at,
            NodeId node,
            RangeId left,
            Generation leftGeneration,
            RangeId right,
            Generation frozen) {}

    final Policy policy;
    private final Random random;
    private final TreeMap<NodeId, Node> nodes = new TreeMap<>();
    private final TreeMap<RangeId, Group> groups = new TreeMap<>();
    private final List<Due> underWay = new ArrayList<>();
    private final List<Cut> cuts = new ArrayList<>();
    private final List<Absorbed> absorbed = new ArrayList<>();
    private final List<Join> joins = new ArrayList<>();
    private final Map<NodeId, List<NodeReport.MergeRefusal>> mergeRefusals = new HashMap<>();
    private final Map<RangeId, LoadPeak> peaks = new HashMap<>();
    private ToLongFunction<KeyRange> bytes = bounds -> 0;
    private int mergesBegun;
    private int stallPercent;
    private final Map<NodeId, List<NodeReport.Refusal>> refusals = new HashMap<>();
    private final Map<NodeId, Heard> heard = new HashMap<>();
    private final Map<RangeId, NodeId> leaders = new HashMap<>();
    private Plan plan = Plan.NONE;
    private Instant leadSince = Instant.EPOCH;
    private ClusterMap map;
    private long second;
    private int movesBegun;
    private int leadsMoved;
    private int lossPercent;
    private int splitsBegun;
    private Optional<SimLoad> load = Optional.empty();

    SimCluster(ClusterMap map, Policy policy, long seed) {
        this.map = map;
        this.policy = policy;
        this.random = new Random(seed);
        for (ClusterNode node : map.nodes()) {
            nodes.put(node.nodeId(), new Node(node));
        }
        for (RangeDescriptor range : map.ranges().inKeyOrder()) {
            groups.put(range.rangeId(), new Group(range));
            if (map.isConfirmed(range.rangeId())) {
                for (NodeId member : range.members()) {
                    nodes.get(member)
                            .replicas
                            .put(
                                    range.rangeId(),
                                    new Replica(range.generation(), range.members(), false));
                }
            }
        }
    }

    /** So many of a hundred reports and answers are lost. */
    void loses(int percent) {
        lossPercent = percent;
    }

    ClusterMap map() {
        return map;
    }

    int movesBegun() {
        return movesBegun;
    }

    int leadsMoved() {
        return leadsMoved;
    }

    void apply(MapCommand command) {
        MapApply.Applied applied = MapApply.apply(map, command);
        assertThat(applied.outcome()).isNotInstanceOf(MapOutcome.Refused.class);
        map = applied.map();
    }

    void addNode(ClusterNode node) {
        nodes.put(node.nodeId(), new Node(node));
    }

    /** What it was ordered and has not done goes with the process. */
    void crash(NodeId node) {
        nodes.get(node).up = false;
        underWay.removeIf(due -> due.node().equals(node));
        joins.removeIf(join -> join.node().equals(node));
        for (Group group : groups.values()) {
            group.leader = group.leader.filter(leader -> !leader.equals(node));
        }
    }

    void restart(NodeId node) {
        Node started = nodes.get(node);
        if (!started.up) {
            started.replicas.values().forEach(replica -> replica.held = replica.damaged);
        }
        started.up = true;
        started.beganAnew = false;
    }

    void wipe(NodeId node) {
        crash(node);
        Node wiped = nodes.get(node);
        wiped.replicas.clear();
        wiped.self =
                new ClusterNode(
                        node,
                        wiped.self.serviceAddress(),
                        wiped.self.raftAddress(),
                        wiped.self.zone(),
                        "",
                        "after " + second,
                        wiped.self.state());
        restart(node);
    }

    /** A block of its store reads differently than it was written; noticed at once. */
    void damageStore(NodeId node) {
        crash(node);
        nodes.get(node).storeDamaged = true;
        restart(node);
    }

    /** Entries of some log read differently than they were written; it goes on until it is told. */
    void damageLogs(NodeId node, int percent) {
        for (Replica replica : nodes.get(node).replicas.values()) {
            replica.damaged |= random.nextInt(100) < percent;
        }
    }

    boolean isStoreDamaged(NodeId node) {
        return nodes.get(node).storeDamaged;
    }

    boolean hasBegunAnew(NodeId node) {
        return nodes.get(node).beganAnew;
    }

    boolean isUp(NodeId node) {
        return nodes.get(node).up;
    }

    /** Another manager leads, who knows the map and nothing else. */
    void changeManager() {
        heard.clear();
        leaders.clear();
        peaks.clear();
        plan = Plan.NONE;
        leadSince = now();
    }

    Instant now() {
        return Instant.EPOCH.plusSeconds(second);
    }

    /** Whether every range would keep its majority without this node, whatever is under way. */
    boolean bearsTheLossOf(NodeId node) {
        for (Map.Entry<RangeId, Group> group : groups.entrySet()) {
            if (!bears(group.getKey(), group.getValue().members, node)) {
                return false;
            }
        }
        for (Due due : underWay) {
            if (due.order() instanceof Order.ChangeMembers change
                    && !bears(change.rangeId(), ids(change.nodes()), node)) {
                return false;
            }
        }
        return true;
    }

    private boolean bears(RangeId rangeId, List<NodeId> members, NodeId lost) {
        long left =
                members.stream()
                        .filter(member -> !member.equals(lost) && serves(rangeId, member))
                        .count();
        return left >= majority(members.size());
    }

    private boolean serves(RangeId rangeId, NodeId member) {
        Node node = nodes.get(member);
        Replica replica = node.replicas.get(rangeId);
        return node.up
                && !node.storeDamaged
                && replica != null
                && !replica.joining
                && !replica.held;
    }

    void step() {
        second++;
        elect();
        carryOut();
        joinDue();
        elect();
        followLogs();
        for (Node node : nodes.values()) {
            if (node.up && random.nextInt(100) >= lossPercent) {
                heartbeat(node);
            }
        }
        round();
        checkInvariants();
    }

    private void elect() {
        for (Map.Entry<RangeId, Group> entry : groups.entrySet()) {
            Group group = entry.getValue();
            List<NodeId> serving =
                    group.members.stream()
                            .filter(member -> serves(entry.getKey(), member))
                            .toList();
            if (serving.size() < majority(group.members.size())) {
                group.leader = Optional.empty();
            } else if (group.leader.filter(serving::contains).isEmpty()) {
                group.leader = Optional.of(serving.get(random.nextInt(serving.size())));
                group.ledSince = second;
            }
        }
    }

    private void carryOut() {
        List<Due> now = underWay.stream().filter(due -> due.at() <= second).toList();
        underWay.removeAll(now);
        for (Due due : now) {
            Node node = nodes.get(due.node());
            if (node.up) {
                due.order().match(new Execution(node));
            }
        }
    }

    private final class Execution implements Order.Cases<Void> {
        private final Node node;

        Execution(Node node) {
            this.node = node;
        }

        @Override
        public Void host(Order.HostReplica host) {
            node.replicas.putIfAbsent(
                    host.range().rangeId(),
                    new Replica(host.range().generation(), host.range().members(), false));
            return null;
        }

        @Override
        public Void join(Order.JoinReplica join) {
            boolean overlaps =
                    absorbed.stream()
                            .filter(each -> each.left().equals(join.range().rangeId()))
                            .anyMatch(each -> node.replicas.containsKey(each.right()));
            if (overlaps) {
                // Keys of it are held by a replica of a range that is no more.
                return null;
            }
            node.replicas.putIfAbsent(
                    join.range().rangeId(),
                    new Replica(join.range().generation(), join.range().members(), true));
            return null;
        }

        @Override
        public Void change(Order.ChangeMembers change) {
            Group group = groups.get(change.rangeId());
            NodeId self = node.self.nodeId();
            List<NodeId> members = ids(change.nodes());
            if (group == null
                    || group.frozenFor.isPresent()
                    || group.leader.filter(self::equals).isEmpty()
                    || !group.generation.equals(change.generation())) {
                return null;
            }
            List<NodeId> joins = new ArrayList<>(members);
            joins.removeAll(group.members);
            List<NodeId> leaves = new ArrayList<>(group.members);
            leaves.removeAll(members);
            assertThat(joins.size() + leaves.size())
                    .as("one change at a time")
                    .isLessThanOrEqualTo(1);
            assertThat(leaves).as("a leader does not take itself out").doesNotContain(self);
            if (leaves.stream().anyMatch(leave -> isServingDamaged(change.rangeId(), leave))
                    && !isMajorityServing(change.rangeId(), members)) {
                // One of them was lost while the order was on its way; no majority would agree.
                return null;
            }
            for (NodeId join : joins) {
                Node target = nodes.get(join);
                if (!target.up || !target.replicas.containsKey(change.rangeId())) {
                    return null;
                }
                copies(target, change.rangeId(), group.generation);
            }
            group.members = members;
            group.generation = group.generation.next();
            return null;
        }

        @Override
        public Void transfer(Order.TransferLead transfer) {
            Group group = groups.get(transfer.rangeId());
            if (group != null
                    && group.leader.filter(node.self.nodeId()::equals).isPresent()
                    && group.members.contains(transfer.to())
                    && serves(transfer.rangeId(), transfer.to())) {
                group.leader = Optional.of(transfer.to());
                group.ledSince = second;
                leadsMoved++;
            }
            return null;
        }

        @Override
        public Void split(Order.SplitRange split) {
            Group group = groups.get(split.rangeId());
            NodeId self = node.self.nodeId();
            if (group == null
                    || group.leader.filter(self::equals).isEmpty()
                    || !group.generation.equals(split.generation())) {
                return null;
            }
            Key cut = split.cut().orElseGet(() -> group.bounds.start().append(new byte[] {1}));
            if (!group.bounds.contains(cut)) {
                refusals.put(self, List.of(new NodeReport.Refusal(split.childId(), "no cut")));
                return null;
            }
            assertThat(groups).doesNotContainKey(split.childId());
            group.generation = group.generation.next();
            groups.put(
                    split.childId(),
                    new Group(
                            new RangeDescriptor(
                                    split.childId(),
                                    new KeyRange(cut, group.bounds.endExclusive()),
                                    group.generation,
                                    group.members)));
            group.bounds = new KeyRange(group.bounds.start(), cut);
            group.ledSince = second;
            Group child = groups.get(split.childId());
            child.ledSince = second;
            child.leader =
                    split.childLeader()
                            .filter(member -> serves(split.rangeId(), member))
                            .or(() -> Optional.of(self));
            cuts.add(new Cut(split.rangeId(), group.generation, split.childId()));
            for (NodeId member : group.members) {
                if (serves(split.rangeId(), member)) {
                    takesCutsUpTo(nodes.get(member), split.rangeId(), group.generation, true);
                }
            }
            return null;
        }

        @Override
        public Void remove(Order.RemoveReplica remove) {
            Replica held = node.replicas.get(remove.rangeId());
            Group group = groups.get(remove.rangeId());
            if (held != null && group == null) {
                removeDead(node, remove.rangeId());
            } else if (held != null && held.generation.compareTo(remove.generation()) <= 0) {
                assertThat(groups.get(remove.rangeId()).members)
                        .as("only a stray replica is removed")
                        .doesNotContain(node.self.nodeId());
                node.replicas.remove(remove.rangeId());
            }
            return null;
        }

        @Override
        public Void merge(Order.MergeRanges merge) {
            NodeId self = node.self.nodeId();
            Group left = groups.get(merge.leftId());
            Group right = groups.get(merge.rightId());
            if (left == null || right == null || isJoining(merge.rightId())) {
                return null;
            }
            boolean frozen =
                    right.frozenFor.equals(Optional.of(merge.leftId()))
                            && right.generation.equals(merge.rightGeneration().next());
            boolean may =
                    left.leader.filter(self::equals).isPresent()
                            && right.leader.filter(self::equals).isPresent()
                            && left.generation.equals(merge.leftGeneration())
                            && (frozen || right.generation.equals(merge.rightGeneration()))
                            && Set.copyOf(left.members).equals(Set.copyOf(right.members));
            if (!may) {
                refuse(self, merge.leftId(), merge.leftGeneration(), merge.rightId());
                return null;
            }
            assertThat(left.bounds.endExclusive()).isEqualTo(right.bounds.start());
            if (!frozen) {
                right.generation = right.generation.next();
                right.frozenFor = Optional.of(merge.leftId());
                right.ledSince = second;
            }
            joins.add(
                    new Join(
                            second + 1 + random.nextInt(3),
                            self,
                            merge.leftId(),
                            merge.leftGeneration(),
                            merge.rightId(),
                            right.generation));
            return null;
        }

        @Override
        public Void thaw(Order.ThawRange thaw) {
            Group group = groups.get(thaw.rangeId());
            if (group != null
                    && group.leader.filter(node.self.nodeId()::equals).isPresent()
                    && group.generation.equals(thaw.generation())
                    && !isJoining(thaw.rangeId(), node.self.nodeId())) {
                SimCluster.this.thaw(thaw.rangeId());
            }
            return null;
        }

        @Override
        public Void anew(Order.BeginAnew anew) {
            if (node.storeDamaged && anew.incarnation().equals(node.self.incarnation())) {
                // Orders are carried out late, so that another one may begin meanwhile. What must
                // hold is that every range keeps its majority, which is looked at after each step.
                wipe(node.self.nodeId());
                node.storeDamaged = false;
                node.beganAnew = true;
            }
            return null;
        }

        @Override
        public Void recover(Order.RecoverRange recover) {
            throw new IllegalStateException("order: " + recover + " (expected: by operators only)");
        }
    }

    private boolean isJoining(RangeId right) {
        return joins.stream().anyMatch(join -> join.right().equals(right));
    }

    /** Whether this leader has it in hand, and takes no other order about it. */
    private boolean isJoining(RangeId right, NodeId node) {
        return joins.stream()
                .anyMatch(join -> join.right().equals(right) && join.node().equals(node));
    }

    private void refuse(NodeId node, RangeId left, Generation leftGeneration, RangeId right) {
        mergeRefusals.put(
                node, List.of(new NodeReport.MergeRefusal(left, leftGeneration, right, "no")));
    }

    private void removeDead(Node node, RangeId rangeId) {
        Absorbed by =
                absorbed.stream().filter(each -> each.right().equals(rangeId)).findFirst().get();
        Replica left = node.replicas.get(by.left());
        Group group = groups.get(by.left());
        // A stray one has left the group before, and is never told of it.
        boolean stray = group != null && !group.members.contains(node.self.nodeId());
        assertThat(
                        stray
                                || left == null
                                || left.joining
                                || left.generation.compareTo(by.generation()) >= 0)
                .as("a replica of range %s has yet to absorb that of range %s", by.left(), rangeId)
                .isTrue();
        node.replicas.remove(rangeId);
    }

    private void thaw(RangeId rangeId) {
        Group right = groups.get(rangeId);
        assertThat(right.frozenFor).isPresent();
        for (Join join : joins) {
            assertThat(
                            join.right().equals(rangeId)
                                    && groups.get(join.left())
                                            .generation
                                            .equals(join.leftGeneration()))
                    .as("range %s is thawed while range %s may absorb it", rangeId, join.left())
                    .isFalse();
        }
        right.generation = right.generation.next();
        right.frozenFor = Optional.empty();
        right.ledSince = second;
    }

    /** Leaders that have frozen a range go on: both ranges become one, or all is undone. */
    private void joinDue() {
        List<Join> now = joins.stream().filter(join -> join.at() <= second).toList();
        for (Join join : now) {
            Group left = groups.get(join.left());
            Group right = groups.get(join.right());
            boolean leadsLeft = left.leader.filter(join.node()::equals).isPresent();
            boolean possible = left.generation.equals(join.leftGeneration());
            boolean level =
                    right.members.stream().allMatch(member -> serves(join.right(), member))
                            && random.nextInt(100) >= stallPercent;
            if (possible && leadsLeft && level) {
                joins.remove(join);
                absorb(join, left, right);
                continue;
            }
            if (possible && leadsLeft) {
                left.generation = left.generation.next();
                left.ledSince = second;
                possible = false;
            }
            joins.remove(join);
            // Another leader may have thawed it meanwhile, and this one leads it again.
            boolean frozen = right.frozenFor.isPresent() && right.generation.equals(join.frozen());
            if (!possible && frozen && right.leader.filter(join.node()::equals).isPresent()) {
                thaw(join.right());
            }
            refuse(join.node(), join.left(), join.leftGeneration(), join.right());
        }
    }

    private void absorb(Join join, Group left, Group right) {
        assertThat(right.frozenFor).contains(join.left());
        Generation generation =
                left.generation.compareTo(right.generation) > 0
                        ? left.generation.next()
                        : right.generation.next();
        absorbed.add(new Absorbed(join.left(), generation, join.right()));
        left.generation = generation;
        left.bounds = new KeyRange(left.bounds.start(), right.bounds.endExclusive());
        left.ledSince = second;
        groups.remove(join.right());
        for (NodeId member : left.members) {
            if (member.equals(join.node()) || random.nextInt(100) >= lossPercent) {
                takesCutsUpTo(nodes.get(member), join.left(), generation, true);
            }
        }
    }

    boolean isFrozen(RangeId rangeId) {
        return groups.containsKey(rangeId) && groups.get(rangeId).frozenFor.isPresent();
    }

    boolean isAnyFrozen() {
        return groups.keySet().stream().anyMatch(this::isFrozen);
    }

    Optional<NodeId> leaderOf(RangeId rangeId) {
        return Optional.ofNullable(groups.get(rangeId)).flatMap(group -> group.leader);
    }

    /** So many of a hundred joins are undone by the leader that has begun them. */
    void undoesJoins(int percent) {
        stallPercent = percent;
    }

    /** What ranges hold from now on. */
    void holds(ToLongFunction<KeyRange> bytesOf) {
        bytes = bytesOf;
    }

    int mergesBegun() {
        return mergesBegun;
    }

    /** A joining replica gets the data as it is now, and with it all that was absorbed. */
    private void copies(Node target, RangeId rangeId, Generation generation) {
        Replica replica = target.replicas.get(rangeId);
        replica.joining = false;
        replica.generation = generation;
        for (Absorbed each : absorbed) {
            if (each.left().equals(rangeId)) {
                target.replicas.remove(each.right());
            }
        }
    }

    private boolean isServingDamaged(RangeId rangeId, NodeId member) {
        return serves(rangeId, member) && nodes.get(member).replicas.get(rangeId).damaged;
    }

    private boolean isMajorityServing(RangeId rangeId, List<NodeId> members) {
        return members.stream().filter(member -> serves(rangeId, member)).count()
                >= majority(members.size());
    }

    /**
     * The replica's log comes to this generation, and with it to the cuts before it.
     *
     * @param whole by its entries; false: perhaps by a copy, which brings no children
     */
    private void takesCutsUpTo(Node node, RangeId parent, Generation generation, boolean whole) {
        Replica replica = node.replicas.get(parent);
        for (Cut cut : cuts) {
            boolean passed =
                    cut.parent().equals(parent)
                            && replica.generation.compareTo(cut.generation()) < 0
                            && cut.generation().compareTo(generation) <= 0;
            if (passed && (whole || random.nextBoolean())) {
                node.replicas.putIfAbsent(
                        cut.child(),
                        new Replica(cut.generation(), groups.get(parent).members, false));
            }
        }
        for (Absorbed each : absorbed) {
            if (each.left().equals(parent)
                    && replica.generation.compareTo(each.generation()) < 0
                    && each.generation().compareTo(generation) <= 0) {
                node.replicas.remove(each.right());
            }
        }
        replica.generation = generation;
        replica.members = groups.get(parent).members;
    }

    private static List<NodeId> ids(List<ClusterNode> nodes) {
        return nodes.stream().map(ClusterNode::nodeId).toList();
    }

    /** Members that are up learn what the log says, some of them a little later. */
    private void followLogs() {
        for (Map.Entry<RangeId, Group> entry : groups.entrySet()) {
            Group group = entry.getValue();
            if (group.leader.isEmpty()) {
                continue;
            }
            for (NodeId member : group.members) {
                Replica replica = nodes.get(member).replicas.get(entry.getKey());
                boolean late =
                        !group.leader.get().equals(member) && random.nextInt(100) < lossPercent;
                if (replica != null && serves(entry.getKey(), member) && !late) {
                    takesCutsUpTo(nodes.get(member), entry.getKey(), group.generation, false);
                }
            }
        }
    }

    private void heartbeat(Node node) {
        NodeReport report =
                new NodeReport(
                        node.self,
                        map.clusterId(),
                        node.storeDamaged
                                ? List.of()
                                : node.replicas.entrySet().stream()
                                        .map(
                                                entry ->
                                                        report(
                                                                node,
                                                                entry.getKey(),
                                                                entry.getValue()))
                                        .toList(),
                        node.storeDamaged ? Optional.of("a bad block") : Optional.empty(),
                        false,
                        refusals.getOrDefault(node.self.nodeId(), List.of()),
                        mergeRefusals.getOrDefault(node.self.nodeId(), List.of()));
        NodeId nodeId = node.self.nodeId();
        boolean afresh =
                map.node(nodeId)
                        .filter(known -> !known.incarnation().equals(node.self.incarnation()))
                        .isPresent();
        MapApply.Applied registered = MapApply.apply(map, new MapCommand.RegisterNode(node.self));
        if (registered.outcome() instanceof MapOutcome.Refused) {
            return;
        }
        map = registered.map();
        heard.put(
                nodeId,
                Heard.next(
                        Optional.ofNullable(heard.get(nodeId)),
                        report,
                        now(),
                        map.ranges().onNode(nodeId),
                        afresh));
        for (NodeReport.Replica replica : report.replicas()) {
            if (replica.leading()) {
                leaders.put(replica.rangeId(), nodeId);
                replica.load()
                        .ifPresent(
                                asked ->
                                        peaks.compute(
                                                replica.rangeId(),
                                                (id, before) ->
                                                        LoadPeak.next(
                                                                Optional.ofNullable(before),
                                                                asked.wantedPerSecond(),
                                                                now())));
            }
        }
        for (Upkeep.News news : Upkeep.news(view(), report)) {
            map = MapApply.apply(map, news.command().orElseThrow()).map();
        }
        List<Order> orders = Orders.forNode(view(), nodeId, plan.leads(), 100);
        if (random.nextInt(100) >= lossPercent) {
            for (Order order : orders) {
                long at = second + 1 + random.nextInt(4);
                for (Due before : underWay) {
                    if (before.node().equals(nodeId)
                            && rangeId(before.order()).equals(rangeId(order))) {
                        // Orders about one range are carried out as they come.
                        at = Math.max(at, before.at());
                    }
                }
                underWay.add(new Due(at, nodeId, order));
            }
        }
    }

    private static RangeId rangeId(Order order) {
        return order.match(new RangeOf());
    }

    private static final class RangeOf implements Order.Cases<RangeId> {
        @Override
        public RangeId host(Order.HostReplica host) {
            return host.range().rangeId();
        }

        @Override
        public RangeId join(Order.JoinReplica join) {
            return join.range().rangeId();
        }

        @Override
        public RangeId change(Order.ChangeMembers change) {
            return change.rangeId();
        }

        @Override
        public RangeId transfer(Order.TransferLead transfer) {
            return transfer.rangeId();
        }

        @Override
        public RangeId split(Order.SplitRange split) {
            return split.rangeId();
        }

        @Override
        public RangeId merge(Order.MergeRanges merge) {
            return merge.leftId();
        }

        @Override
        public RangeId thaw(Order.ThawRange thaw) {
            return thaw.rangeId();
        }

        @Override
        public RangeId remove(Order.RemoveReplica remove) {
            return remove.rangeId();
        }

        @Override
        public RangeId anew(Order.BeginAnew anew) {
            // Of no range: not in the way of any.
            return new RangeId(Long.MAX_VALUE);
        }

        @Override
        public RangeId recover(Order.RecoverRange recover) {
            return recover.lostId();
        }
    }

    private NodeReport.Replica report(Node node, RangeId rangeId, Replica replica) {
        Group group = groups.get(rangeId);
        boolean leads =
                group != null && group.leader.filter(node.self.nodeId()::equals).isPresent();
        return new NodeReport.Replica(
                rangeId,
                replica.generation,
                leads,
                second,
                second,
                replica.members,
                leads ? followers(rangeId, node) : List.of(),
                replica.joining,
                group == null ? 0 : bytes.applyAsLong(group.bounds),
                replica.damaged
                        ? Optional.of(new NodeReport.Damage("a bad entry", !replica.held))
                        : Optional.empty(),
                leads ? Optional.of(group.bounds) : Optional.empty(),
                leads ? load(group) : Optional.empty(),
                Optional.empty(),
                leads ? group.frozenFor : Optional.empty());
    }

    private List<NodeReport.Follower> followers(RangeId rangeId, Node leader) {
        return groups.get(rangeId).members.stream()
                .filter(member -> !member.equals(leader.self.nodeId()))
                .map(
                        member ->
                                new NodeReport.Follower(
                                        member,
                                        serves(rangeId, member) ? second : 0,
                                        Duration.ofSeconds(serves(rangeId, member) ? 0 : 60)))
                .toList();
    }

    private Optional<RangeLoad> load(Group group) {
        return load.map(
                simulated ->
                        simulated.of(group.bounds, Duration.ofSeconds(second - group.ledSince)));
    }

    /** What clients ask from now on. */
    void isAsked(SimLoad asked) {
        load = Optional.of(asked);
    }

    /** What is asked of the node's leads. */
    double askedOf(NodeId node) {
        return groups.values().stream()
                .filter(group -> group.leader.filter(node::equals).isPresent())
                .map(this::load)
                .flatMap(Optional::stream)
                .mapToDouble(RangeLoad::operationsPerSecond)
                .sum();
    }

    int splitsBegun() {
        return splitsBegun;
    }

    ClusterView view() {
        return new ClusterView(map, heard, leaders, leadSince, now(), policy, peaks);
    }

    Plan plan() {
        return plan;
    }

    private void round() {
        for (Upkeep.Chore chore : Upkeep.due(view())) {
            map = MapApply.apply(map, chore.command()).map();
        }
        ClusterView view = view();
        plan = Planner.plan(view, policy);
        for (Decision.ChangeMembers change : plan.changes()) {
            movesBegun++;
            apply(
                    new MapCommand.BeginMove(
                            new Move(
                                    change.rangeId(),
                                    change.add(),
                                    change.remove(),
                                    change.reason(),
                                    change.decidedAt(),
                                    now())));
        }
        for (Decision.Split split : plan.splits()) {
            splitsBegun++;
            apply(
                    new MapCommand.BeginSplit(
                            split.rangeId(),
                            split.decidedAt(),
                            split.cut(),
                            split.childLeader(),
                            split.reason(),
                            now()));
        }
        for (Decision.Merge merge : plan.merges()) {
            mergesBegun++;
            apply(
                    new MapCommand.BeginMerge(
                            new Merge(
                                    merge.leftId(),
                                    merge.rightId(),
                                    merge.leftDecidedAt(),
                                    merge.rightDecidedAt(),
                                    merge.reason(),
                                    now())));
        }
        assertThat(map.moves().size()).isLessThanOrEqualTo(policy.movesMax());
    }

    private final Map<RangeId, Generation> lastGenerations = new HashMap<>();
    private boolean guarded = true;

    /** Ranges lost their majority by what the test did, not by what the manager does. */
    void expectLosses() {
        guarded = false;
    }

    private void checkInvariants() {
        Key next = Key.FIRST;
        List<Group> inKeyOrder = new ArrayList<>(groups.values());
        inKeyOrder.sort(Comparator.comparing(group -> group.bounds.start()));
        for (Group group : inKeyOrder) {
            assertThat(group.bounds.start())
                    .as("second %s: every key once", second)
                    .isEqualTo(next);
            next = group.bounds.endExclusive();
        }
        assertThat(next).isEqualTo(Key.LAST);
        for (RangeDescriptor range : map.ranges().inKeyOrder()) {
            RangeId rangeId = range.rangeId();
            Generation last = lastGenerations.getOrDefault(rangeId, Generation.FIRST);
            assertThat(range.generation()).isGreaterThanOrEqualTo(last);
            lastGenerations.put(rangeId, range.generation());
            Group group = groups.get(rangeId);
            if (group == null) {
                assertThat(absorbed)
                        .as("the map has yet to hear that range %s is no more", rangeId)
                        .anyMatch(each -> each.right().equals(rangeId));
                continue;
            }
            assertThat(range.generation()).isLessThanOrEqualTo(group.generation);
            if (guarded && map.isConfirmed(rangeId)) {
                long serving =
                        group.members.stream().filter(member -> serves(rangeId, member)).count();
                assertThat(serving)
                        .as(
                                "second %s: range %s of %s keeps a majority",
                                second, rangeId, group.members)
                        .isGreaterThanOrEqualTo(majority(group.members.size()));
            }
        }
    }

    /** Nothing under way, nothing planned, nothing on its way. */
    boolean isQuiet() {
        return map.moves().isEmpty()
                && map.splits().isEmpty()
                && map.merges().isEmpty()
                && joins.isEmpty()
                && underWay.isEmpty()
                && plan.isQuiet();
    }

    /** Runs until nothing has happened for a while. */
    void settle(int secondsMax) {
        int quiet = 0;
        for (int i = 0; quiet < 30; i++) {
            assertThat(i).as("settles in time; left: %s", plan).isLessThan(secondsMax);
            step();
            quiet = isQuiet() ? quiet + 1 : 0;
        }
    }

    /** Every range is as it should be, and nothing is left that no range needs. */
    void assertWellReplicated(int replicas) {
        assertThat(isAnyFrozen()).as("nothing stays frozen").isFalse();
        for (Map.Entry<RangeId, Group> entry : groups.entrySet()) {
            RangeDescriptor range = map.ranges().find(entry.getKey()).orElseThrow();
            assertThat(range.generation()).isEqualTo(entry.getValue().generation);
            assertThat(range.bounds()).isEqualTo(entry.getValue().bounds);
            assertThat(range.members())
                    .containsExactlyInAnyOrderElementsOf(entry.getValue().members);
            assertThat(range.members()).as("range %s", range.rangeId()).hasSize(replicas);
            for (NodeId member : range.members()) {
                assertThat(serves(range.rangeId(), member))
                        .as(
                                "range %s on %s, %s",
                                range.rangeId(), member, view().health(range.rangeId(), member))
                        .isTrue();
                assertThat(nodes.get(member).replicas.get(range.rangeId()).damaged).isFalse();
                assertThat(map.node(member).orElseThrow().state().givesReplicas()).isFalse();
            }
        }
        for (Node node : nodes.values()) {
            for (RangeId held : node.replicas.keySet()) {
                if (node.up) {
                    assertThat(groups)
                            .as("range %s is no more, on %s", held, node.self.nodeId())
                            .containsKey(held);
                    assertThat(groups.get(held).members)
                            .as("no stray replica of range %s", held)
                            .contains(node.self.nodeId());
                }
            }
        }
    }
}

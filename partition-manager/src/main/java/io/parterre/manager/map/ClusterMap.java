package io.parterre.manager.map;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.Feature;
import io.parterre.release.FeatureLevel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * Everything that the managers agree on: the cluster's id, its ranges, nodes and accounts, what is
 * being done to them, and the next unused numbers. Immutable and cheap to change; safe for any
 * thread.
 */
public final class ClusterMap {
    /** Lower object ids name directories, see {@link io.parterre.key.ObjectId}. */
    static final long FIRST_OBJECT_ID = 1_000;

    /** Before anything was decided. */
    public static final ClusterMap EMPTY =
            new ClusterMap(
                    Optional.empty(),
                    0,
                    RangeTable.EMPTY,
                    TreePMap.empty(),
                    TreePMap.empty(),
                    new NextIds(1, 1, FIRST_OBJECT_ID),
                    Operations.NONE,
                    Managers.UNKNOWN,
                    Steering.NONE);

    /**
     * A founded cluster at the newest feature level, with ranges 1, 2, ... at generation 1, one for
     * each list of members, all of which have served. For those who simulate one.
     */
    public static ClusterMap founded(
            ClusterId clusterId, List<ClusterNode> nodes, List<List<NodeId>> members) {
        List<RangeDescriptor> ranges = new ArrayList<>();
        Key start = Key.FIRST;
        for (int i = 1; i <= members.size(); i++) {
            Key end =
                    i == members.size()
                            ? Key.LAST
                            : Key.wrap(ByteBuffer.allocate(5).put((byte) 2).putInt(i).array());
            ranges.add(
                    new RangeDescriptor(
                            new RangeId(i),
                            new KeyRange(start, end),
                            Generation.FIRST,
                            members.get(i - 1)));
            start = end;
        }
        TreePMap<NodeId, ClusterNode> byId = TreePMap.empty();
        for (ClusterNode node : nodes) {
            byId = byId.plus(node.nodeId(), node);
        }
        return new ClusterMap(
                Optional.of(clusterId),
                1,
                ranges.isEmpty() ? RangeTable.EMPTY : RangeTable.of(ranges),
                byId,
                TreePMap.empty(),
                new NextIds(members.size() + 1, 1, FIRST_OBJECT_ID),
                Operations.NONE,
                Managers.UNKNOWN,
                Steering.NONE.with(FeatureLevel.NEWEST));
    }

    private final Optional<ClusterId> clusterId;
    private final long version;
    private final RangeTable ranges;
    private final TreePMap<NodeId, ClusterNode> nodes;
    private final TreePMap<AccountName, ClusterAccount> accounts;
    private final NextIds nextIds;
    private final Operations operations;
    private final Managers managers;
    private final Steering steering;

    ClusterMap(
            Optional<ClusterId> clusterId,
            long version,
            RangeTable ranges,
            TreePMap<NodeId, ClusterNode> nodes,
            TreePMap<AccountName, ClusterAccount> accounts,
            NextIds nextIds,
            Operations operations,
            Managers managers,
            Steering steering) {
        this.clusterId = clusterId;
        this.version = version;
        this.ranges = ranges;
        this.nodes = nodes;
        this.accounts = accounts;
        this.nextIds = nextIds;
        this.operations = operations;
        this.managers = managers;
        this.steering = steering;
    }

    /** The id, once the cluster is founded. */
    public Optional<ClusterId> clusterId() {
        return clusterId;
    }

    /** Grows by one with each change that watchers get to see. */
    public long version() {
        return version;
    }

    public RangeTable ranges() {
        return ranges;
    }

    public Optional<ClusterNode> node(NodeId nodeId) {
        return Optional.ofNullable(nodes.get(nodeId));
    }

    /** All nodes by id. */
    public Collection<ClusterNode> nodes() {
        return nodes.values();
    }

    public Optional<ClusterAccount> account(AccountName name) {
        return Optional.ofNullable(accounts.get(name));
    }

    /** All accounts by name. */
    public Collection<ClusterAccount> accounts() {
        return accounts.values();
    }

    /** Whether no account has changed between the two, without a look at each. */
    @SuppressWarnings("ReferenceEquality")
    public boolean hasAccountsOf(ClusterMap other) {
        return accounts == other.accounts;
    }

    /** The move of the range's members that is under way. */
    public Optional<Move> move(RangeId rangeId) {
        return Optional.ofNullable(operations.moves().get(rangeId));
    }

    /** All moves under way, by range. */
    public Collection<Move> moves() {
        return operations.moves().values();
    }

    /** The split point of the range that is under way. */
    public Optional<Split> split(RangeId rangeId) {
        return Optional.ofNullable(operations.splits().get(rangeId));
    }

    /** All splits under way, by the range that is split. */
    public Collection<Split> splits() {
        return operations.splits().values();
    }

    /** The merge under way that the range is one of two in. */
    public Optional<Merge> merge(RangeId rangeId) {
        return operations.merge(rangeId);
    }

    /** All merges under way, by the range that is widened. */
    public Collection<Merge> merges() {
        return operations.merges().values();
    }

    /** What is remembered of a range that no longer exists. */
    public Optional<DeadRange> dead(RangeId rangeId) {
        return Optional.ofNullable(operations.dead().get(rangeId));
    }

    /** The ranges that died last, by id. */
    public Collection<DeadRange> dead() {
        return operations.dead().values();
    }

    /** Whether the range lost its majority for good, and another one goes on in its place. */
    public boolean isRetired(RangeId rangeId) {
        return dead(rangeId).filter(DeadRange::recovered).isPresent();
    }

    /** The recovery by which the range goes on in the place of another. */
    public Optional<Recovery> recovery(RangeId rangeId) {
        return Optional.ofNullable(operations.recoveries().get(rangeId));
    }

    /** All recoveries under way, by the range that goes on. */
    public Collection<Recovery> recoveries() {
        return operations.recoveries().values();
    }

    /** The id that the next new range gets. */
    public RangeId nextRangeId() {
        return new RangeId(nextIds.range());
    }

    /** Whether anything is under way that changes the range. */
    public boolean isChanging(RangeId rangeId) {
        return operations.moves().containsKey(rangeId)
                || operations.splits().containsKey(rangeId)
                || operations.recoveries().containsKey(rangeId)
                || merge(rangeId).isPresent();
    }

    /**
     * Whether every member has reported the range once. Until then its replicas may be made from
     * nothing; after that never again, or a member without its data would vote with an empty log.
     */
    public boolean isConfirmed(RangeId rangeId) {
        return !operations.unconfirmed().contains(rangeId);
    }

    /** Ranges not confirmed yet, by id. */
    public Collection<RangeId> unconfirmed() {
        return operations.unconfirmed();
    }

    /**
     * Whether the replica of a member may be made from nothing: nobody can have relied on it. One
     * that has come with another data folder may have held it before, and voted.
     */
    public boolean mayBeFounded(RangeId rangeId, NodeId member) {
        return !isConfirmed(rangeId) && !operations.relapsed().contains(member);
    }

    /** The lease given last, whether it still holds or not. */
    public Optional<DisruptionLease> disruptionLease() {
        return operations.lease();
    }

    /** The partition managers that there shall be. */
    public Managers managers() {
        return managers;
    }

    /** What the planners aim at. */
    public PolicyValues policy() {
        return steering.policy();
    }

    /** What was decided about the cluster, and why. */
    public Journal journal() {
        return steering.journal();
    }

    /** Nothing is written or ordered that needs a higher one. */
    public FeatureLevel featureLevel() {
        return steering.level();
    }

    /** Who gets the replicas of a node that leaves; empty: any nodes that suit. */
    public Optional<NodeId> replacement(NodeId nodeId) {
        return Optional.ofNullable(operations.replacements().get(nodeId));
    }

    /**
     * Whether a node that reports has left the cluster and stays out of it. One that was removed
     * may return under its name, but with a new data folder only: what it held when it was removed
     * is of ranges that went on without it. Where a folder tells no incarnation it cannot be told
     * from the old one.
     */
    public boolean hasLeft(ClusterNode reporting) {
        String incarnation = reporting.incarnation();
        return operations.isFormer(reporting.nodeId(), incarnation)
                || node(reporting.nodeId())
                        .filter(known -> known.state() == NodeState.REMOVED)
                        .filter(
                                known ->
                                        !featureLevel().has(Feature.RETURNED_NODES)
                                                || known.incarnation().isEmpty()
                                                || incarnation.isEmpty()
                                                || known.incarnation().equals(incarnation))
                        .isPresent();
    }

    NextIds nextIds() {
        return nextIds;
    }

    Operations operations() {
        return operations;
    }

    Steering steering() {
        return steering;
    }

    ClusterMap founded(ClusterId id, RangeDescriptor first, NextIds next, FeatureLevel level) {
        return new ClusterMap(
                Optional.of(id),
                version + 1,
                RangeTable.of(List.of(first)),
                nodes,
                accounts,
                next,
                operations.withUnconfirmed(first.rangeId()),
                managers,
                steering.with(level));
    }

    ClusterMap with(ClusterNode node) {
        return seen(ranges, nodes.plus(node.nodeId(), node), nextIds, operations, steering);
    }

    /** With the range as it is now; its bounds are the same. */
    ClusterMap with(RangeDescriptor range) {
        return replaced(List.of(range.rangeId()), List.of(range), nextIds, operations);
    }

    /**
     * With the range split into these parts, as its own log says, and nothing under way about it.
     */
    ClusterMap split(RangeId rangeId, List<RangeDescriptor> parts) {
        return replaced(List.of(rangeId), parts, nextIds, operations.withoutSplit(rangeId));
    }

    /**
     * With the range as it is now, which has absorbed the one that followed it, and nothing under
     * way about either.
     */
    ClusterMap joined(RangeDescriptor range, RangeId absorbed) {
        DeadRange dead =
                new DeadRange(absorbed, range.generation(), range.rangeId(), false, version + 1);
        return replaced(
                List.of(range.rangeId(), absorbed),
                List.of(range),
                nextIds,
                operations.withoutMerge(range.rangeId()).withoutMove(absorbed).withDead(dead));
    }

    /**
     * With another range in the place of one that is given up, and nothing else under way about
     * either.
     */
    ClusterMap recovered(RangeId lost, RangeDescriptor successor, Recovery recovery) {
        DeadRange dead =
                new DeadRange(lost, successor.generation(), successor.rangeId(), true, version + 1);
        return replaced(
                List.of(lost),
                List.of(successor),
                nextIds.afterRange(),
                operations.withRecovery(recovery, lost).withDead(dead));
    }

    private ClusterMap replaced(
            List<RangeId> old, List<RangeDescriptor> now, NextIds next, Operations left) {
        return seen(ranges.replace(old, now), nodes, next, left, steering);
    }

    /** With what watchers see, so the version grows. */
    private ClusterMap seen(
            RangeTable table,
            TreePMap<NodeId, ClusterNode> members,
            NextIds next,
            Operations left,
            Steering aim) {
        return new ClusterMap(
                clusterId, version + 1, table, members, accounts, next, left, managers, aim);
    }

    ClusterMap with(ClusterAccount account, NextIds next) {
        TreePMap<AccountName, ClusterAccount> more = accounts.plus(account.name(), account);
        return new ClusterMap(
                clusterId, version + 1, ranges, nodes, more, next, operations, managers, steering);
    }

    ClusterMap with(NextIds next) {
        return unseen(next, operations, steering);
    }

    /** With a split begun, whose children have taken the next numbers of ranges. */
    ClusterMap with(Split split, NextIds next) {
        return unseen(next, operations.withSplit(split), steering);
    }

    ClusterMap with(Operations changed) {
        return unseen(nextIds, changed, steering);
    }

    ClusterMap with(Steering other) {
        return unseen(nextIds, operations, other);
    }

    /** With what watchers do not see, so the version stays. */
    private ClusterMap unseen(NextIds next, Operations now, Steering aim) {
        return new ClusterMap(
                clusterId, version, ranges, nodes, accounts, next, now, managers, aim);
    }

    /** Watchers see the set, so the version grows with its generation. */
    ClusterMap with(Managers others) {
        long next = others.generation() == managers.generation() ? version : version + 1;
        return new ClusterMap(
                clusterId, next, ranges, nodes, accounts, nextIds, operations, others, steering);
    }

    ClusterMap with(FeatureLevel level) {
        return seen(ranges, nodes, nextIds, operations, steering.with(level));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterMap map
                && clusterId.equals(map.clusterId)
                && version == map.version
                && ranges.equals(map.ranges)
                && nodes.equals(map.nodes)
                && accounts.equals(map.accounts)
                && nextIds.equals(map.nextIds)
                && operations.equals(map.operations)
                && managers.equals(map.managers)
                && steering.equals(map.steering);
    }

    @Override
    public int hashCode() {
        return Objects.hash(clusterId, version, nextIds);
    }

    @Override
    public String toString() {
        return "ClusterMap[clusterId="
                + clusterId
                + ", version="
                + version
                + ", ranges="
                + ranges.size()
                + ", nodes="
                + nodes.size()
                + ", accounts="
                + accounts.size()
                + ", moves="
                + operations.moves().size()
                + ", splits="
                + operations.splits().size()
                + ", merges="
                + operations.merges().size()
                + "]";
    }
}

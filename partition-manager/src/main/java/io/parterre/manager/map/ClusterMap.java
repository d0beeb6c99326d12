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
 * The state that the managers agree on: the cluster's id, its ranges, nodes and accounts,
 * operations in progress, and the next unused ids. Immutable and cheap to change.
 */
public final class ClusterMap {
    /** Lower object ids name directories, see {@link io.parterre.key.ObjectId}. */
    static final long FIRST_OBJECT_ID = 1_000;

    /** The map before any command. */
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
     * Returns the map of a cluster at the newest feature level, with ranges 1, 2, ... at generation
     * 1, one for each list of members, all of which have served. For simulations.
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

    /** Returns the cluster's id; empty before the cluster is created. */
    public Optional<ClusterId> clusterId() {
        return clusterId;
    }

    /** Returns the version, which grows by one with each change that watchers see. */
    public long version() {
        return version;
    }

    public RangeTable ranges() {
        return ranges;
    }

    public Optional<ClusterNode> node(NodeId nodeId) {
        return Optional.ofNullable(nodes.get(nodeId));
    }

    /** Returns all nodes, sorted by id. */
    public Collection<ClusterNode> nodes() {
        return nodes.values();
    }

    public Optional<ClusterAccount> account(AccountName name) {
        return Optional.ofNullable(accounts.get(name));
    }

    /** Returns all accounts, sorted by name. */
    public Collection<ClusterAccount> accounts() {
        return accounts.values();
    }

    /** Returns whether no account differs between the two maps, without an examination of each. */
    @SuppressWarnings("ReferenceEquality")
    public boolean hasAccountsOf(ClusterMap other) {
        return accounts == other.accounts;
    }

    /** Returns the range's move in progress; empty if there is none. */
    public Optional<Move> move(RangeId rangeId) {
        return Optional.ofNullable(operations.moves().get(rangeId));
    }

    /** Returns all moves in progress, sorted by range. */
    public Collection<Move> moves() {
        return operations.moves().values();
    }

    /** Returns the range's split in progress; empty if there is none. */
    public Optional<Split> split(RangeId rangeId) {
        return Optional.ofNullable(operations.splits().get(rangeId));
    }

    /** Returns all splits in progress, sorted by the range that is split. */
    public Collection<Split> splits() {
        return operations.splits().values();
    }

    /** Returns the merge in progress of which the range is one side; empty if there is none. */
    public Optional<Merge> merge(RangeId rangeId) {
        return operations.merge(rangeId);
    }

    /** Returns all merges in progress, sorted by the range that is widened. */
    public Collection<Merge> merges() {
        return operations.merges().values();
    }

    /** Returns the tombstone of a range that no longer exists; empty if there is none. */
    public Optional<DeadRange> dead(RangeId rangeId) {
        return Optional.ofNullable(operations.dead().get(rangeId));
    }

    /** Returns the tombstones of the ranges that ended last, sorted by id. */
    public Collection<DeadRange> dead() {
        return operations.dead().values();
    }

    /** Returns whether the range lost its majority for good and a successor has taken its place. */
    public boolean isRetired(RangeId rangeId) {
        return dead(rangeId).filter(DeadRange::recovered).isPresent();
    }

    /**
     * Returns the recovery in progress by which the range takes the place of another; empty if
     * there is none.
     */
    public Optional<Recovery> recovery(RangeId rangeId) {
        return Optional.ofNullable(operations.recoveries().get(rangeId));
    }

    /** Returns all recoveries in progress, sorted by the successor. */
    public Collection<Recovery> recoveries() {
        return operations.recoveries().values();
    }

    /** Returns the id of the next new range. */
    public RangeId nextRangeId() {
        return new RangeId(nextIds.range());
    }

    /** Returns whether an operation of the range is in progress. */
    public boolean isChanging(RangeId rangeId) {
        return operations.moves().containsKey(rangeId)
                || operations.splits().containsKey(rangeId)
                || operations.recoveries().containsKey(rangeId)
                || merge(rangeId).isPresent();
    }

    /**
     * Returns whether every member has reported the range once. Until then an empty replica may be
     * made; after that never again, or a member without its data would vote with an empty log.
     */
    public boolean isConfirmed(RangeId rangeId) {
        return !operations.unconfirmed().contains(rangeId);
    }

    /** Returns the ranges that are not confirmed yet, sorted by id. */
    public Collection<RangeId> unconfirmed() {
        return operations.unconfirmed();
    }

    /**
     * Returns whether an empty replica may be made for the member, because the range cannot have
     * relied on an earlier one. A member whose data folder was replaced may have held a replica
     * before, and voted.
     */
    public boolean mayBeFounded(RangeId rangeId, NodeId member) {
        return !isConfirmed(rangeId) && !operations.folderReplaced().contains(member);
    }

    /** Returns the last disruption permit, even if it has expired. */
    public Optional<DisruptionLease> disruptionLease() {
        return operations.lease();
    }

    /** Returns the wanted set of partition managers. */
    public Managers managers() {
        return managers;
    }

    /** Returns what the planners aim at. */
    public PolicyValues policy() {
        return steering.policy();
    }

    /** Returns the decisions about the cluster and their reasons. */
    public Journal journal() {
        return steering.journal();
    }

    /** Returns the feature level. Nothing that needs a higher one is written or ordered. */
    public FeatureLevel featureLevel() {
        return steering.level();
    }

    /**
     * Returns the node that gets the replicas of a decommissioned node; empty if any suitable node
     * does.
     */
    public Optional<NodeId> replacement(NodeId nodeId) {
        return Optional.ofNullable(operations.replacements().get(nodeId));
    }

    /**
     * Returns whether a reporting node was removed from the cluster and stays out of it. A removed
     * node may return under its id, but only with a new data folder: the old one holds data of
     * ranges that went on without it. A folder without an incarnation cannot be distinguished from
     * the old one.
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

    /** Returns the map with the range changed. Its bounds must be the same. */
    ClusterMap with(RangeDescriptor range) {
        return replaced(List.of(range.rangeId()), List.of(range), nextIds, operations);
    }

    /**
     * Returns the map with the range split into these parts, as the range's log decided, and
     * without the split in progress.
     */
    ClusterMap split(RangeId rangeId, List<RangeDescriptor> parts) {
        return replaced(List.of(rangeId), parts, nextIds, operations.withoutSplit(rangeId));
    }

    /**
     * Returns the map with the widened range, which has absorbed the range to its right, and
     * without an operation of either.
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
     * Returns the map with the successor in the place of the lost range, and with the recovery as
     * their only operation.
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

    /** Returns a map with a change that watchers see, so the version grows. */
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

    /** Returns the map with a new split, whose children have taken the next range ids. */
    ClusterMap with(Split split, NextIds next) {
        return unseen(next, operations.withSplit(split), steering);
    }

    ClusterMap with(Operations changed) {
        return unseen(nextIds, changed, steering);
    }

    ClusterMap with(Steering other) {
        return unseen(nextIds, operations, other);
    }

    /** Returns a map with a change that watchers do not see, so the version stays. */
    private ClusterMap unseen(NextIds next, Operations now, Steering aim) {
        return new ClusterMap(
                clusterId, version, ranges, nodes, accounts, next, now, managers, aim);
    }

    /** Watchers see the managers, so the version grows with the generation of their set. */
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

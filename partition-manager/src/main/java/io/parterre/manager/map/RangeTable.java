package io.parterre.manager.map;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * The ranges of a cluster, found by id, by key and by node. Immutable: a change copies a path of
 * the underlying trees, so one change among 100,000 ranges costs microseconds. The table is empty,
 * or covers every key exactly once.
 */
public final class RangeTable {
    static final RangeTable EMPTY =
            new RangeTable(TreePMap.empty(), TreePMap.empty(), TreePMap.empty());

    private final TreePMap<RangeId, RangeDescriptor> byId;
    private final TreePMap<Key, RangeDescriptor> byStart;
    private final TreePMap<NodeId, TreePSet<RangeId>> byMember;

    private RangeTable(
            TreePMap<RangeId, RangeDescriptor> byId,
            TreePMap<Key, RangeDescriptor> byStart,
            TreePMap<NodeId, TreePSet<RangeId>> byMember) {
        this.byId = byId;
        this.byStart = byStart;
        this.byMember = byMember;
    }

    /**
     * Returns a table of these ranges, in any order.
     *
     * @throws IllegalArgumentException if there are ranges and they do not cover every key once
     */
    static RangeTable of(Collection<RangeDescriptor> ranges) {
        return EMPTY.replace(List.of(), ranges);
    }

    /**
     * Returns the table with other ranges over the same keys. An id in both lists is a range that
     * changed.
     *
     * @throws IllegalArgumentException if an id is unknown, is in use, or the covered keys change
     */
    RangeTable replace(Collection<RangeId> removed, Collection<RangeDescriptor> added) {
        List<RangeDescriptor> before = new ArrayList<>();
        for (RangeId id : removed) {
            before.add(
                    find(id).orElseThrow(
                                    () ->
                                            new IllegalArgumentException(
                                                    "rangeId: " + id + " (expected: known)")));
        }
        List<KeyRange> covered =
                byId.isEmpty() ? List.of(KeyRange.ALL) : joined(before, "ranges to remove");
        if (!joined(added, "ranges to add").equals(covered)) {
            throw new IllegalArgumentException(
                    "ranges: " + added + " (expected: the same keys as " + before + ")");
        }
        RangeTable result = this;
        for (RangeDescriptor range : before) {
            result = result.without(range);
        }
        for (RangeDescriptor range : added) {
            if (result.byId.containsKey(range.rangeId())) {
                throw new IllegalArgumentException(
                        "rangeId: " + range.rangeId() + " (expected: unused)");
            }
            result = result.with(range);
        }
        return result;
    }

    /** Returns the covered keys as the fewest intervals. */
    private static List<KeyRange> joined(Collection<RangeDescriptor> ranges, String what) {
        List<KeyRange> intervals = new ArrayList<>();
        ranges.stream()
                .map(RangeDescriptor::bounds)
                .sorted(Comparator.comparing(KeyRange::start))
                .forEach(
                        next -> {
                            int last = intervals.size() - 1;
                            if (last < 0) {
                                intervals.add(next);
                                return;
                            }
                            KeyRange before = intervals.get(last);
                            int gap = before.endExclusive().compareTo(next.start());
                            if (gap > 0) {
                                throw new IllegalArgumentException(
                                        what + ": " + next + " (expected: no overlap)");
                            }
                            if (gap == 0) {
                                intervals.set(
                                        last, new KeyRange(before.start(), next.endExclusive()));
                            } else {
                                intervals.add(next);
                            }
                        });
        return intervals;
    }

    private RangeTable with(RangeDescriptor range) {
        TreePMap<NodeId, TreePSet<RangeId>> members = byMember;
        for (NodeId member : range.members()) {
            members = members.plus(member, onNode(members, member).plus(range.rangeId()));
        }
        return new RangeTable(
                byId.plus(range.rangeId(), range),
                byStart.plus(range.bounds().start(), range),
                members);
    }

    private RangeTable without(RangeDescriptor range) {
        TreePMap<NodeId, TreePSet<RangeId>> members = byMember;
        for (NodeId member : range.members()) {
            TreePSet<RangeId> left = onNode(members, member).minus(range.rangeId());
            members = left.isEmpty() ? members.minus(member) : members.plus(member, left);
        }
        return new RangeTable(
                byId.minus(range.rangeId()), byStart.minus(range.bounds().start()), members);
    }

    public Optional<RangeDescriptor> find(RangeId rangeId) {
        return Optional.ofNullable(byId.get(rangeId));
    }

    /** Returns the range that begins where this one ends; empty after the last. */
    public Optional<RangeDescriptor> rightOf(RangeDescriptor range) {
        return Optional.ofNullable(byStart.get(range.bounds().endExclusive()));
    }

    /** Returns the range that ends where this one begins; empty before the first. */
    public Optional<RangeDescriptor> leftOf(RangeDescriptor range) {
        return Optional.ofNullable(byStart.lowerEntry(range.bounds().start()))
                .map(Map.Entry::getValue);
    }

    /**
     * Returns the ranges with a replica on the node, sorted by id. The collection is the same
     * object in all tables until one of these ranges changes, and another one after each such
     * change.
     */
    public Collection<RangeId> onNode(NodeId nodeId) {
        return onNode(byMember, nodeId);
    }

    /** Returns whether the node is a member of the range; false if there is no such range. */
    public boolean isMember(RangeId rangeId, NodeId nodeId) {
        return onNode(nodeId).contains(rangeId);
    }

    /** Returns the nodes with a replica of some range, sorted by id. */
    public Collection<NodeId> holders() {
        return byMember.keySet();
    }

    private static TreePSet<RangeId> onNode(
            TreePMap<NodeId, TreePSet<RangeId>> members, NodeId nodeId) {
        return members.getOrDefault(nodeId, TreePSet.empty());
    }

    /** Returns the range that holds the key and all later ones, in key order. */
    public Collection<RangeDescriptor> from(Key key) {
        Key start = byStart.floorKey(key);
        return start == null ? byStart.values() : byStart.tailMap(start, true).values();
    }

    /** Returns all ranges in key order. */
    public Collection<RangeDescriptor> inKeyOrder() {
        return byStart.values();
    }

    public int size() {
        return byId.size();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RangeTable table && byStart.equals(table.byStart);
    }

    @Override
    public int hashCode() {
        return byStart.hashCode();
    }

    @Override
    public String toString() {
        return "RangeTable" + byStart.values();
    }
}

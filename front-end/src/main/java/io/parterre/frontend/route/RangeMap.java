package io.parterre.frontend.route;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which range holds a key and which node leads it, as far as this front end knows. Ranges never
 * overlap; there are holes where nothing is known. Immutable; a change shares all but a few
 * kilobytes with the previous map.
 */
public final class RangeMap {
    /** A map that knows nothing. */
    public static final RangeMap EMPTY =
            new RangeMap(0, RangeChunks.EMPTY, LongTrie.empty(), LongTrie.empty());

    private final long version;
    private final RangeChunks ranges;
    private final LongTrie<RangeDescriptor> byId;
    private final LongTrie<NodeId> leaders;

    private RangeMap(
            long version,
            RangeChunks ranges,
            LongTrie<RangeDescriptor> byId,
            LongTrie<NodeId> leaders) {
        this.version = version;
        this.ranges = ranges;
        this.byId = byId;
        this.leaders = leaders;
    }

    /** Returns the version of the manager's map that this map follows; 0 if none was received. */
    public long version() {
        return version;
    }

    public int size() {
        return ranges.size();
    }

    /** Returns the range that holds {@code key}; empty if none is known. */
    public Optional<RangeDescriptor> find(Key key) {
        return ranges.find(key);
    }

    public Optional<RangeDescriptor> find(RangeId rangeId) {
        return byId.get(rangeId.value());
    }

    /** Returns the ranges that share a key with {@code bounds}, in key order. */
    public List<RangeDescriptor> overlapping(KeyRange bounds) {
        return ranges.overlapping(bounds);
    }

    /** Returns the node that is believed to lead the range; empty if none is. */
    public Optional<NodeId> leader(RangeId rangeId) {
        return leaders.get(rangeId.value());
    }

    /** Returns whether another node is believed to lead the range. */
    public boolean isLedElsewhere(RangeId rangeId, NodeId node) {
        return leader(rangeId).filter(leader -> !leader.equals(node)).isPresent();
    }

    /**
     * Returns the map after a change of the manager, which replaces whatever contradicts it, unless
     * the change is older.
     */
    public RangeMap after(MapChange change) {
        RangeMap map = change.whole() ? EMPTY : this;
        for (RangeId removed : change.removed()) {
            map = map.find(removed).map(map::without).orElse(map);
        }
        map = change.whole() ? ofAll(change.ranges()) : map.withAll(change.ranges());
        LongTrie<NodeId> hints = change.whole() ? leadersOf(change.ranges()) : map.leaders;
        for (Map.Entry<RangeId, NodeId> leader : change.leaders().entrySet()) {
            // A leader hint for an unknown range would stay forever.
            if (map.find(leader.getKey()).isPresent()) {
                hints = hints.put(leader.getKey().value(), leader.getValue());
            }
        }
        return new RangeMap(change.version(), map.ranges, map.byId, hints);
    }

    /**
     * Returns the map after a node has answered that it holds not {@code asked} at this generation,
     * but these ranges. The answer is believed only where it does not contradict something newer,
     * because the node may lag behind.
     *
     * @return this very map if there was nothing to learn
     */
    public RangeMap correctedBy(RangeId asked, Generation askedAt, List<RangeDescriptor> held) {
        List<RangeDescriptor> sameFirst = new ArrayList<>(held);
        // Once the asked range has shrunk, the place of its new neighbours is free.
        sameFirst.sort(Comparator.comparing(range -> !range.rangeId().equals(asked)));
        RangeMap map = this;
        for (RangeDescriptor range : sameFirst) {
            if (map.believes(range, asked, askedAt)) {
                map = map.with(range);
            }
        }
        return map;
    }

    private LongTrie<NodeId> leadersOf(List<RangeDescriptor> kept) {
        LongTrie<NodeId> hints = LongTrie.empty();
        for (RangeDescriptor range : kept) {
            Optional<NodeId> leader = leader(range.rangeId());
            if (leader.isPresent()) {
                hints = hints.put(range.rangeId().value(), leader.get());
            }
        }
        return hints;
    }

    private boolean believes(RangeDescriptor told, RangeId asked, Generation askedAt) {
        Optional<RangeDescriptor> known = find(told.rangeId());
        if (known.isPresent() && known.get().generation().compareTo(told.generation()) >= 0) {
            return false;
        }
        return ranges.overlapping(told.bounds()).stream()
                .allMatch(
                        other ->
                                other.rangeId().equals(told.rangeId())
                                        || isAfter(told, other)
                                        // A range that preceded it has a smaller generation.
                                        || isAt(other, asked, askedAt) && !isAfter(other, told));
    }

    private static boolean isAt(RangeDescriptor range, RangeId rangeId, Generation generation) {
        return range.rangeId().equals(rangeId) && range.generation().equals(generation);
    }

    /** Returns the map with this node as the believed leader. */
    public RangeMap withLeader(RangeId rangeId, NodeId leader) {
        return leader(rangeId).equals(Optional.of(leader))
                ? this
                : new RangeMap(version, ranges, byId, leaders.put(rangeId.value(), leader));
    }

    /** Returns the map in which this node is no longer believed to lead the range. */
    public RangeMap withoutLeader(RangeId rangeId, NodeId wrong) {
        return leader(rangeId).equals(Optional.of(wrong))
                ? new RangeMap(version, ranges, byId, leaders.remove(rangeId.value()))
                : this;
    }

    private RangeMap withAll(List<RangeDescriptor> more) {
        RangeMap map = this;
        for (RangeDescriptor range : more) {
            // A node may have told us of a later generation than the manager knew, or of a range
            // that has absorbed this one. Of ranges that held a key one after the other, the later
            // has the greater generation.
            boolean older =
                    map.find(range.rangeId()).filter(known -> isAfter(known, range)).isPresent()
                            || map.overlapping(range.bounds()).stream()
                                    .anyMatch(known -> isAfter(known, range));
            map = older ? map : map.with(range);
        }
        return map;
    }

    private static boolean isAfter(RangeDescriptor one, RangeDescriptor other) {
        return one.generation().compareTo(other.generation()) > 0;
    }

    private RangeMap with(RangeDescriptor range) {
        RangeMap map = find(range.rangeId()).map(this::withoutBounds).orElse(this);
        for (RangeDescriptor displaced : map.ranges.overlapping(range.bounds())) {
            map = map.without(displaced);
        }
        return new RangeMap(
                version,
                map.ranges.insert(range),
                map.byId.put(range.rangeId().value(), range),
                map.leaders);
    }

    private RangeMap without(RangeDescriptor range) {
        long id = range.rangeId().value();
        return new RangeMap(version, ranges.remove(range), byId.remove(id), leaders.remove(id));
    }

    /** Removes a range that is added again at another generation, so its leader stays known. */
    private RangeMap withoutBounds(RangeDescriptor range) {
        return new RangeMap(
                version, ranges.remove(range), byId.remove(range.rangeId().value()), leaders);
    }

    private static RangeMap ofAll(List<RangeDescriptor> all) {
        List<RangeDescriptor> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparing(range -> range.bounds().start()));
        List<RangeDescriptor> apart = new ArrayList<>(sorted.size());
        LongTrie<RangeDescriptor> byId = LongTrie.empty();
        Key end = Key.FIRST;
        for (RangeDescriptor range : sorted) {
            if (range.bounds().start().compareTo(end) < 0) {
                throw new IllegalArgumentException(
                        "range " + range.rangeId() + ": overlaps another (expected: none does)");
            }
            end = range.bounds().endExclusive();
            apart.add(range);
            byId = byId.put(range.rangeId().value(), range);
        }
        return new RangeMap(0, RangeChunks.ofSorted(apart), byId, LongTrie.empty());
    }
}

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
 * Which range holds a key and who leads it, as far as this front end knows. Ranges never overlap;
 * where knowledge is missing there are holes. Immutable, a change shares all but a few kilobytes
 * with the map before it; safe for any thread.
 */
public final class RangeMap {
    /** Knows nothing yet. */
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

    /** Version of the manager's map that this one follows; 0: none was seen. */
    public long version() {
        return version;
    }

    public int size() {
        return ranges.size();
    }

    /** The range that holds {@code key}. */
    public Optional<RangeDescriptor> find(Key key) {
        return ranges.find(key);
    }

    public Optional<RangeDescriptor> find(RangeId rangeId) {
        return byId.get(rangeId.value());
    }

    /** The ranges that have a key in common with {@code bounds}, in key order. */
    public List<RangeDescriptor> overlapping(KeyRange bounds) {
        return ranges.overlapping(bounds);
    }

    /** Who is believed to lead the range. */
    public Optional<NodeId> leader(RangeId rangeId) {
        return leaders.get(rangeId.value());
    }

    /** Whether another node is believed to lead the range. */
    public boolean isLedElsewhere(RangeId rangeId, NodeId node) {
        return leader(rangeId).filter(leader -> !leader.equals(node)).isPresent();
    }

    /** After the manager's word, which replaces whatever contradicts it but what is older. */
    public RangeMap after(MapChange change) {
        RangeMap map = change.whole() ? EMPTY : this;
        for (RangeId removed : change.removed()) {
            map = map.find(removed).map(map::without).orElse(map);
        }
        map = change.whole() ? ofAll(change.ranges()) : map.withAll(change.ranges());
        LongTrie<NodeId> hints = change.whole() ? leadersOf(change.ranges()) : map.leaders;
        for (Map.Entry<RangeId, NodeId> leader : change.leaders().entrySet()) {
            // Of a range we do not know, a hint would stay for ever.
            if (map.find(leader.getKey()).isPresent()) {
                hints = hints.put(leader.getKey().value(), leader.getValue());
            }
        }
        return new RangeMap(change.version(), map.ranges, map.byId, hints);
    }

    /**
     * After a node's word that it does not hold {@code asked} at that generation but these ranges.
     * It is believed only where it does not contradict something newer: the node may lag behind.
     *
     * @return this very map if there was nothing to learn
     */
    public RangeMap correctedBy(RangeId asked, Generation askedAt, List<RangeDescriptor> held) {
        List<RangeDescriptor> sameFirst = new ArrayList<>(held);
        // Once the range asked for has shrunk, its new neighbours find their place free.
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
                                        // What was before it has a smaller generation.
                                        || isAt(other, asked, askedAt) && !isAfter(other, told));
    }

    private static boolean isAt(RangeDescriptor range, RangeId rangeId, Generation generation) {
        return range.rangeId().equals(rangeId) && range.generation().equals(generation);
    }

    /** With another belief about who leads. */
    public RangeMap withLeader(RangeId rangeId, NodeId leader) {
        return leader(rangeId).equals(Optional.of(leader))
                ? this
                : new RangeMap(version, ranges, byId, leaders.put(rangeId.value(), leader));
    }

    /** Without the belief that this node leads. */
    public RangeMap withoutLeader(RangeId rangeId, NodeId wrong) {
        return leader(rangeId).equals(Optional.of(wrong))
                ? new RangeMap(version, ranges, byId, leaders.remove(rangeId.value()))
                : this;
    }

    private RangeMap withAll(List<RangeDescriptor> more) {
        RangeMap map = this;
        for (RangeDescriptor range : more) {
            // A node may have told us of a later generation than the manager knew of, or of a range
            // that has absorbed this one: of ranges that had a key one after the other, the later
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

    /** Takes a range out that comes back at another generation, so its leader stays known. */
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

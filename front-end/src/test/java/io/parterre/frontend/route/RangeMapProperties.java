package io.parterre.frontend.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class RangeMapProperties {
    private static final List<NodeId> MEMBERS = List.of(new NodeId("n"));

    /** The truth, as a manager keeps it: splits and merges at random. */
    private static final class World {
        private final Random random;
        private final TreeMap<Key, RangeDescriptor> ranges = new TreeMap<>();
        private long lastId = 1;
        private long version = 1;

        World(long seed) {
            random = new Random(seed);
            put(range(1, KeyRange.ALL, 1));
        }

        private static RangeDescriptor range(long id, KeyRange bounds, long generation) {
            return new RangeDescriptor(
                    new RangeId(id), bounds, new Generation(generation), MEMBERS);
        }

        private void put(RangeDescriptor range) {
            ranges.put(range.bounds().start(), range);
        }

        MapChange whole() {
            return new MapChange(
                    version, true, new ArrayList<>(ranges.values()), List.of(), Map.of());
        }

        Key anyKey() {
            byte[] bytes = new byte[1 + random.nextInt(2)];
            random.nextBytes(bytes);
            bytes[0] &= 0x7F;
            return Key.wrap(bytes);
        }

        MapChange step() {
            version++;
            RangeDescriptor old = ranges.floorEntry(anyKey()).getValue();
            Map.Entry<Key, RangeDescriptor> next = ranges.higherEntry(old.bounds().start());
            return next != null && random.nextInt(3) == 0
                    ? merge(old, next.getValue())
                    : split(old);
        }

        private MapChange split(RangeDescriptor old) {
            Key splitPoint = anyKey();
            if (!old.bounds().contains(splitPoint) || splitPoint.equals(old.bounds().start())) {
                return new MapChange(version, false, List.of(), List.of(), Map.of());
            }
            KeyRange before = new KeyRange(old.bounds().start(), splitPoint);
            KeyRange after = new KeyRange(splitPoint, old.bounds().endExclusive());
            RangeDescriptor parent =
                    range(old.rangeId().value(), before, old.generation().value() + 1);
            RangeDescriptor child = range(++lastId, after, old.generation().value() + 1);
            put(parent);
            put(child);
            return new MapChange(version, false, List.of(child, parent), List.of(), Map.of());
        }

        private MapChange merge(RangeDescriptor left, RangeDescriptor right) {
            KeyRange bounds = new KeyRange(left.bounds().start(), right.bounds().endExclusive());
            RangeDescriptor joined =
                    range(
                            left.rangeId().value(),
                            bounds,
                            Math.max(left.generation().value(), right.generation().value() + 1)
                                    + 1);
            ranges.remove(right.bounds().start());
            put(joined);
            return new MapChange(
                    version, false, List.of(joined), List.of(right.rangeId()), Map.of());
        }
    }

    @Property(tries = 100)
    void mapEqualsManagerMap_afterAnySplitsAndMerges(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 600) int steps) {
        World world = new World(seed);
        RangeMap map = RangeMap.EMPTY.after(world.whole());
        for (int i = 0; i < steps; i++) {
            map = map.after(world.step());
        }
        assertThat(map.overlapping(KeyRange.ALL)).containsExactlyElementsOf(world.ranges.values());
        assertThat(map.version()).isEqualTo(world.version);
        for (int i = 0; i < 50; i++) {
            Key key = world.anyKey();
            assertThat(map.find(key)).contains(world.ranges.floorEntry(key).getValue());
        }
        for (RangeDescriptor range : world.ranges.values()) {
            assertThat(map.find(range.rangeId())).contains(range);
        }
    }

    @Property(tries = 100)
    void mapNeverOverlaps_whenNodesReportStaleRanges(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int steps) {
        // Nodes that lag behind tell of the past; the map may get holes, but no overlaps.
        World world = new World(seed);
        RangeMap map = RangeMap.EMPTY.after(world.whole());
        List<RangeDescriptor> past = new ArrayList<>(world.ranges.values());
        for (int i = 0; i < steps; i++) {
            MapChange change = world.step();
            past.addAll(change.ranges());
            RangeDescriptor told = past.get(world.random.nextInt(past.size()));
            RangeDescriptor asked = past.get(world.random.nextInt(past.size()));
            map = map.correctedBy(asked.rangeId(), asked.generation(), List.of(told));
        }
        Key end = Key.FIRST;
        for (RangeDescriptor range : map.overlapping(KeyRange.ALL)) {
            assertThat(range.bounds().start()).isGreaterThanOrEqualTo(end);
            end = range.bounds().endExclusive();
            assertThat(map.find(range.rangeId())).contains(range);
        }
        // And the manager's whole map mends it.
        assertThat(map.after(world.whole()).overlapping(KeyRange.ALL))
                .containsExactlyElementsOf(world.ranges.values());
    }

    @Property(tries = 200)
    void longTrieMatchesHashMap_afterRandomPutsAndRemoves(
            @ForAll List<Long> keys, @ForAll long seed) {
        Random random = new Random(seed);
        Map<Long, Integer> expected = new HashMap<>();
        LongTrie<Integer> trie = LongTrie.empty();
        for (long key : keys) {
            if (random.nextInt(4) == 0 && !expected.isEmpty()) {
                long gone = expected.keySet().iterator().next();
                expected.remove(gone);
                trie = trie.remove(gone);
            }
            int value = random.nextInt();
            expected.put(key, value);
            trie = trie.put(key, value);
        }
        for (long key : keys) {
            assertThat(trie.get(key)).isEqualTo(Optional.ofNullable(expected.get(key)));
            assertThat(trie.get(key + 1)).isEqualTo(Optional.ofNullable(expected.get(key + 1)));
        }
    }
}

package io.parterre.manager.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RangeTableProperties {
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");

    @Property
    void splitsAndMergesKeepEveryKeyInOneRange(
            @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 255) Integer> splitPoints) {
        RangeTable table = RangeTable.of(List.of(range(1, KeyRange.ALL, 1)));
        TreeMap<Key, RangeDescriptor> model = new TreeMap<>();
        model.put(Key.FIRST, table.inKeyOrder().iterator().next());
        long nextId = 2;
        for (int splitPoint : splitPoints) {
            Key at = Key.wrap(new byte[] {(byte) (splitPoint % 250 + 1), (byte) splitPoint});
            RangeDescriptor holder = table.from(at).iterator().next();
            if (holder.bounds().start().equals(at)) {
                RangeDescriptor left = model.lowerEntry(at).getValue();
                RangeDescriptor joined = joined(left, holder);
                table = table.replace(List.of(left.rangeId(), holder.rangeId()), List.of(joined));
                model.remove(at);
                model.put(joined.bounds().start(), joined);
            } else {
                RangeDescriptor left = changed(holder, new KeyRange(holder.bounds().start(), at));
                RangeDescriptor right =
                        range(nextId++, new KeyRange(at, holder.bounds().endExclusive()), 1);
                table = table.replace(List.of(holder.rangeId()), List.of(left, right));
                model.put(left.bounds().start(), left);
                model.put(at, right);
            }
            assertThat(table.inKeyOrder()).containsExactlyElementsOf(model.values());
            for (RangeDescriptor range : model.values()) {
                assertThat(table.find(range.rangeId())).contains(range);
                assertThat(table.from(range.bounds().start())).first().isEqualTo(range);
            }
            assertThat(table.onNode(N1))
                    .containsExactlyElementsOf(
                            model.values().stream()
                                    .filter(range -> range.members().contains(N1))
                                    .map(RangeDescriptor::rangeId)
                                    .sorted()
                                    .toList());
        }
    }

    @Example
    void rangeReplacementIsRejected_whenKeysAreLostOrDuplicated() {
        Key middle = Key.wrap(new byte[] {2});
        RangeTable table =
                RangeTable.of(
                        List.of(
                                range(1, new KeyRange(Key.FIRST, middle), 1),
                                range(2, new KeyRange(middle, Key.LAST), 1)));
        assertThatThrownBy(() -> table.replace(List.of(new RangeId(1)), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () ->
                                table.replace(
                                        List.of(new RangeId(1)),
                                        List.of(range(1, KeyRange.ALL, 2))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () ->
                                table.replace(
                                        List.of(new RangeId(1)),
                                        List.of(range(2, new KeyRange(Key.FIRST, middle), 2))))
                .hasMessageContaining("unused");
    }

    @Example
    void rangeChangeCopiesNoWholeMap_with100000Ranges() {
        List<RangeDescriptor> ranges = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            ranges.add(
                    range(
                            i + 1,
                            new KeyRange(
                                    i == 0 ? Key.FIRST : key(i),
                                    i == 99_999 ? Key.LAST : key(i + 1)),
                            1));
        }
        RangeTable table = RangeTable.of(ranges);
        long before = allocatedBytes();
        for (int i = 1; i <= 1_000; i++) {
            RangeDescriptor range = table.find(new RangeId(i)).orElseThrow();
            table =
                    table.replace(
                            List.of(range.rangeId()), List.of(changed(range, range.bounds())));
        }
        // A copied map would be some megabytes each time. Memory, since time depends on neighbours.
        assertThat((allocatedBytes() - before) / 1_000).isLessThan(64 * 1_024);
        assertThat(table.size()).isEqualTo(100_000);
    }

    private static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }

    private static Key key(int i) {
        return Key.wrap(new byte[] {2, (byte) (i >> 16), (byte) (i >> 8), (byte) i});
    }

    private static RangeDescriptor range(long id, KeyRange bounds, long generation) {
        return new RangeDescriptor(
                new RangeId(id),
                bounds,
                new Generation(generation),
                id % 2 == 0 ? List.of(N1, N2) : List.of(N1));
    }

    private static RangeDescriptor changed(RangeDescriptor range, KeyRange bounds) {
        return new RangeDescriptor(
                range.rangeId(), bounds, range.generation().next(), range.members());
    }

    private static RangeDescriptor joined(RangeDescriptor left, RangeDescriptor right) {
        return changed(left, new KeyRange(left.bounds().start(), right.bounds().endExclusive()));
    }
}

package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.TABLE;
import static io.parterre.server.apply.AppliedRange.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Ranges that split while writes are under way: Raft is a queue, a client that is not answered or
 * is answered {@code StaleRange} sends again under the same sequence to who has its key by then,
 * and a table is deleted from its first range to its last.
 */
final class SplitSimTest {
    private static final int PARTITIONS = 20;
    private static final Key SCOPE = KeyCodec.scope(TABLE);

    /** A range with its log as far as it is not applied, on two replicas. */
    private static final class Range {
        private final AppliedRange first;
        private final AppliedRange second;
        private final Deque<SubmittedCommand> log = new ArrayDeque<>();

        Range(AppliedRange first, AppliedRange second) {
            this.first = first;
            this.second = second;
        }

        RangeDescriptor descriptor() {
            return first.range().descriptor();
        }
    }

    private static final class World {
        private final Random random;
        private final List<Range> ranges = new ArrayList<>();
        private final Map<Long, Long> sequences = new TreeMap<>();
        private final Set<Long> open = new HashSet<>();
        private final List<Write> writing = new ArrayList<>();
        private final Set<Key> acknowledged = new HashSet<>();
        private long ids = 1;
        private long ticks = 1_000;
        private Key fencedTo = SCOPE;
        private boolean deletes;

        World(long seed) {
            random = new Random(seed);
            ranges.add(new Range(new AppliedRange(), new AppliedRange()));
        }

        private Range rangeOf(Key key) {
            return ranges.stream()
                    .filter(range -> range.descriptor().bounds().contains(key))
                    .findFirst()
                    .orElseThrow();
        }

        private void step() {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> begin();
                case 3 -> sendAgain();
                case 4 -> split();
                default -> apply(ranges.get(random.nextInt(ranges.size())));
            }
        }

        private void begin() {
            long sender = 5 + random.nextInt(2);
            long sequence = sequences.merge(sender, 1L, Long::sum);
            Key key =
                    KeyCodec.entity(
                            TABLE,
                            "p" + (char) ('a' + random.nextInt(PARTITIONS)),
                            sender + "-" + sequence);
            Write write = new Write(sender, sequence, key);
            writing.add(write);
            send(write, rangeOf(key));
        }

        /** The answer was lost, or is late: it may be in a log already. */
        private void sendAgain() {
            if (!writing.isEmpty()) {
                Write write = writing.get(random.nextInt(writing.size()));
                send(write, rangeOf(write.key));
            }
        }

        private void send(Write write, Range to) {
            long settled =
                    writing.stream()
                            .filter(each -> each.sender == write.sender)
                            .mapToLong(each -> each.sequence)
                            .min()
                            .orElse(write.sequence);
            to.log.add(
                    submitted(
                            write.sender,
                            write.sequence,
                            Math.min(settled, write.sequence),
                            write.command));
        }

        private void split() {
            if (ranges.size() >= 8) {
                return;
            }
            Range range = ranges.get(random.nextInt(ranges.size()));
            Key splitPoint =
                    KeyCodec.partition(TABLE, "p" + (char) ('a' + random.nextInt(PARTITIONS)));
            RangeId child = new RangeId(++ids);
            range.log.add(
                    submitted(
                            1,
                            child.value(),
                            0,
                            new ReplicaCommand.Split(
                                    range.descriptor().generation().next(), splitPoint, child)));
        }

        private void apply(Range range) {
            List<SubmittedCommand> entry = new ArrayList<>();
            int count = 1 + random.nextInt(4);
            while (entry.size() < count && !range.log.isEmpty()) {
                entry.add(range.log.remove());
            }
            if (entry.isEmpty()) {
                return;
            }
            ticks += random.nextInt(5);
            List<Outcome> outcomes = range.first.applyEntry(ticks, entry);
            if (random.nextInt(3) == 0) {
                range.second.restart();
            }
            assertThat(range.second.applyEntry(ticks, entry)).isEqualTo(outcomes);
            for (int i = 0; i < entry.size(); i++) {
                if (outcomes.get(i) instanceof Outcome.RangeSplit split && split.done()) {
                    ranges.add(new Range(range.first.child(), range.second.child()));
                }
            }
            assertThat(range.second.view.dump()).isEqualTo(range.first.view.dump());
            for (int i = 0; i < entry.size(); i++) {
                answered(entry.get(i), outcomes.get(i));
            }
        }

        private void answered(SubmittedCommand command, Outcome outcome) {
            if (command.body() instanceof ReplicaCommand.FenceScope) {
                fencedTo = ((Outcome.Fenced) outcome).endExclusive().orElseThrow();
                deletes = false;
                return;
            }
            Write write =
                    writing.stream()
                            .filter(each -> each.sender == command.id().senderId())
                            .filter(each -> each.sequence == command.id().sequence())
                            .findFirst()
                            .orElse(null);
            if (write == null || random.nextInt(4) == 0) {
                // Answered before, or this answer is lost.
                return;
            }
            if (outcome instanceof Outcome.StaleRange) {
                send(write, rangeOf(write.key));
                return;
            }
            if (outcome instanceof Outcome.Written) {
                acknowledged.add(write.key);
            } else {
                // An insert that were executed twice would find its own entity.
                assertThat(outcome).isInstanceOf(Outcome.ScopeFenced.class);
            }
            writing.remove(write);
        }

        private void settle() {
            while (!writing.isEmpty() || ranges.stream().anyMatch(each -> !each.log.isEmpty())) {
                for (Write write : List.copyOf(writing)) {
                    send(write, rangeOf(write.key));
                }
                for (Range range : List.copyOf(ranges)) {
                    while (!range.log.isEmpty()) {
                        apply(range);
                    }
                }
            }
        }

        private Set<Key> rows() {
            Set<Key> rows = new HashSet<>();
            for (Range range : ranges) {
                for (Key key : range.first.view.rows.keySet()) {
                    assertThat(range.descriptor().bounds().contains(key)).isTrue();
                    assertThat(rows.add(key)).isTrue();
                }
            }
            return rows;
        }

        private void assertCovers() {
            TreeMap<Key, Key> bounds = new TreeMap<>();
            for (Range range : ranges) {
                KeyRange each = range.descriptor().bounds();
                bounds.put(each.start(), each.endExclusive());
            }
            assertThat(bounds).hasSameSizeAs(ranges);
            Key at = Key.FIRST;
            for (Map.Entry<Key, Key> each : bounds.entrySet()) {
                assertThat(each.getKey()).isEqualTo(at);
                at = each.getValue();
            }
            assertThat(at).isEqualTo(Key.LAST);
        }

        /** One more step towards a deletion: the range of the next key is fenced. */
        private void fence() {
            if (!deletes && fencedTo.compareTo(SCOPE.afterPrefix()) < 0) {
                deletes = true;
                rangeOf(fencedTo)
                        .log
                        .add(
                                submitted(
                                        9,
                                        sequences.merge(9L, 1L, Long::sum),
                                        0,
                                        new ReplicaCommand.FenceScope(SCOPE)));
            }
        }
    }

    @Property(tries = 300)
    void everyWriteTakesEffectOnce_whileRangesSplitAndClientsRetry(@ForAll long seed) {
        World world = new World(seed);
        for (int i = 0; i < 150; i++) {
            world.step();
            world.assertCovers();
        }
        world.settle();
        assertThat(world.rows()).isEqualTo(world.acknowledged);
    }

    @Property(tries = 300)
    void deletedTableKeepsNoRows_whileItsRangesSplit(@ForAll long seed) {
        World world = new World(seed);
        for (int i = 0; i < 60; i++) {
            world.step();
        }
        while (world.fencedTo.compareTo(SCOPE.afterPrefix()) < 0) {
            world.fence();
            world.step();
        }
        assertThat(world.rows()).isEmpty();
        for (int i = 0; i < 60; i++) {
            world.step();
        }
        world.settle();
        assertThat(world.rows()).isEmpty();
    }
}

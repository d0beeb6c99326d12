package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.batch;
import static io.parterre.server.apply.AppliedRange.property;
import static io.parterre.server.apply.AppliedRange.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** However an entry is sliced, and wherever a replica goes on with it, the same comes of it. */
final class SliceProperties {
    private static final OutcomeLimits TIGHT = new OutcomeLimits(30, 60, 20, 6, 2);

    /** Of a clock that is wrong now and then. */
    private static final long AHEAD = 100_000;

    /** No write is so large. */
    private static final SliceLimits UNSPLITTABLE =
            new SliceLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** Entries of many commands that collide, repeat, settle, and change the range itself. */
    private static final class RandomLog {
        private final Random random;
        private final List<SubmittedCommand> sent = new ArrayList<>();
        private final long[] sequences = new long[4];
        private long generation = 1;
        private int children;

        RandomLog(long seed) {
            random = new Random(seed);
        }

        List<SubmittedCommand> entry() {
            List<SubmittedCommand> entry = new ArrayList<>();
            int commands = 1 + random.nextInt(12);
            for (int i = 0; i < commands; i++) {
                if (!sent.isEmpty() && random.nextInt(5) == 0) {
                    entry.add(sent.get(random.nextInt(sent.size())));
                    continue;
                }
                int sender = random.nextInt(sequences.length);
                long sequence = ++sequences[sender];
                long settled = random.nextInt(3) == 0 ? random.nextLong(sequence + 1) : 0;
                SubmittedCommand command = submitted(sender, sequence, settled, command());
                sent.add(command);
                entry.add(command);
            }
            return entry;
        }

        long stamp(int number) {
            long stamp = 1_000L + number * 5L + random.nextInt(60) - 20;
            return random.nextInt(8) == 0 ? stamp + AHEAD : stamp;
        }

        private ReplicaCommand command() {
            return switch (random.nextInt(30)) {
                case 0 -> {
                    Scope other = Scope.ofTable(new AccountId(7), new ObjectId(12));
                    yield new ReplicaCommand.FenceScope(
                            KeyCodec.scope(random.nextInt(3) == 0 ? AppliedRange.TABLE : other));
                }
                case 1 ->
                        new ReplicaCommand.SetMembers(
                                next(), List.of(AppliedRange.member("node-1")));
                case 2, 3 -> new ReplicaCommand.Freeze(next(), new RangeId(77), Generation.FIRST);
                case 4, 5, 6 -> new ReplicaCommand.Thaw(next());
                case 7 ->
                        new ReplicaCommand.Split(
                                next(),
                                KeyCodec.partition(AppliedRange.TABLE, "q"),
                                new RangeId(100 + ++children));
                case 8 ->
                        new ReplicaCommand.CreateTable(
                                KeyCodec.tableDirectoryRow(
                                        new AccountId(7), "t" + random.nextInt(3)),
                                "T",
                                new ObjectId(20));
                case 9, 10 -> new ReplicaCommand.ResetClock(AHEAD, AHEAD);
                default -> write();
            };
        }

        /** Mostly the one that is due. */
        private Generation next() {
            return new Generation(random.nextInt(4) == 0 ? generation : ++generation);
        }

        private ReplicaCommand write() {
            int first = random.nextInt(3);
            return random.nextBoolean()
                    ? batch(operation(first))
                    : batch(operation(first), operation(first + 1), operation(first + 2));
        }

        private EntityOperation operation(int row) {
            EntityOperation.Kind[] kinds = EntityOperation.Kind.values();
            EntityOperation made =
                    AppliedRange.operation(
                            kinds[random.nextInt(kinds.length)],
                            "r" + row,
                            property("P" + random.nextInt(3), random.nextInt(10)));
            return random.nextInt(6) == 0
                    ? AppliedRange.ifMatch(made, 1_000 + random.nextInt(50))
                    : made;
        }
    }

    private static String state(AppliedRange range) {
        StringBuilder all = new StringBuilder();
        all.append(range.view.dump()).append(range.range()).append(range.state.fences().size());
        for (Mutation.PutChild child : range.view.children) {
            all.append(child.range());
            child.own()
                    .forEach(
                            row ->
                                    all.append(row.key())
                                            .append(HexFormat.of().formatHex(row.value())));
        }
        return all.toString();
    }

    private static void assertSame(
            long seed,
            SliceLimits limits,
            java.util.function.Function<AppliedRange, Consumer<AppliedSlice>> between) {
        RandomLog log = new RandomLog(seed);
        AppliedRange whole = new AppliedRange(TIGHT, UNSPLITTABLE);
        AppliedRange sliced = new AppliedRange(TIGHT, limits);
        for (int i = 0; i < 12; i++) {
            List<SubmittedCommand> entry = log.entry();
            long stamp = log.stamp(i);
            List<Outcome> expected = whole.applyEntry(stamp, entry);
            assertThat(sliced.applyEntry(stamp, entry, between.apply(sliced))).isEqualTo(expected);
            assertThat(state(sliced)).isEqualTo(state(whole));
        }
    }

    private static SliceLimits limits(long seed) {
        int bytes = new Random(seed).nextInt(200);
        return new SliceLimits(bytes, Math.min(bytes, 20));
    }

    @Property(tries = 1_000)
    void rowsAndOutcomesAreTheSame_whenEntryIsAppliedInSlices(@ForAll long seed) {
        assertSame(seed, limits(seed), sliced -> slice -> {});
    }

    @Property(tries = 1_000)
    void rowsAndOutcomesAreTheSame_whenReplicaRestartsAfterEachSlice(@ForAll long seed) {
        assertSame(seed, limits(seed), sliced -> slice -> sliced.restart());
    }

    @Property(tries = 1_000)
    void rangeIsNeverFrozen_betweenTwoSlices(@ForAll long seed) {
        assertSame(
                seed,
                limits(seed),
                sliced ->
                        slice ->
                                assertThat(sliced.range().descriptor().isFrozen())
                                        .as("after %s commands", slice.end())
                                        .isFalse());
    }

    /** Else the others would show nothing. */
    @Property(tries = 1)
    void entriesAreSplitPointAndRangesFrozenSplitAndThawed() {
        int[] slices = {0};
        List<Outcome> outcomes = new ArrayList<>();
        int children = 0;
        for (long seed = 1; seed <= 100; seed++) {
            RandomLog log = new RandomLog(seed);
            AppliedRange range = new AppliedRange(TIGHT, limits(seed));
            for (int i = 0; i < 12; i++) {
                outcomes.addAll(range.applyEntry(log.stamp(i), log.entry(), s -> slices[0]++));
            }
            children += range.view.children.size();
        }
        assertThat(slices[0]).isGreaterThan(500);
        assertThat(children).isGreaterThan(10);
        assertThat(outcomes)
                .anyMatch(each -> each instanceof Outcome.RangeFrozen frozen && frozen.done())
                .anyMatch(each -> each instanceof Outcome.RangeThawed thawed && thawed.done())
                .anyMatch(each -> each instanceof Outcome.ClockReset reset && reset.done())
                .anyMatch(Outcome.Forgotten.class::isInstance);
    }
}

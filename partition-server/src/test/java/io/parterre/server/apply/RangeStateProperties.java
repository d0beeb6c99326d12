package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.batch;
import static io.parterre.server.apply.AppliedRange.ifMatch;
import static io.parterre.server.apply.AppliedRange.operation;
import static io.parterre.server.apply.AppliedRange.property;
import static io.parterre.server.apply.AppliedRange.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.EntityCodec;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.server.command.CommandId;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What holds for every log. */
final class RangeStateProperties {
    private static final OutcomeLimits TIGHT = new OutcomeLimits(30, 60, 20, 6, 2);

    /** Of a clock that is wrong now and then. */
    private static final long AHEAD = 1_000_000_000;

    /** Forgets outcomes but no sender. */
    private static final OutcomeLimits FAITHFUL = new OutcomeLimits(30, 1_000_000, 20, 6, 100);

    /** A log of up to 40 entries with commands that collide, repeat, settle and lag. */
    private record RandomLog(List<List<SubmittedCommand>> entries, List<Long> stamps) {
        static RandomLog of(long seed) {
            Random random = new Random(seed);
            List<List<SubmittedCommand>> entries = new ArrayList<>();
            List<Long> stamps = new ArrayList<>();
            List<SubmittedCommand> sent = new ArrayList<>();
            long[] sequences = new long[4];
            int count = 1 + random.nextInt(40);
            for (int i = 0; i < count; i++) {
                List<SubmittedCommand> entry = new ArrayList<>();
                int commands = 1 + random.nextInt(4);
                for (int j = 0; j < commands; j++) {
                    if (!sent.isEmpty() && random.nextInt(4) == 0) {
                        entry.add(sent.get(random.nextInt(sent.size())));
                    } else {
                        int sender = random.nextInt(sequences.length);
                        long sequence = ++sequences[sender];
                        long settled = random.nextInt(3) == 0 ? random.nextLong(sequence + 1) : 0;
                        SubmittedCommand command =
                                submitted(sender, sequence, settled, command(random));
                        sent.add(command);
                        entry.add(command);
                    }
                }
                entries.add(entry);
                long stamp = 1_000L + i * 5L + random.nextInt(40) - 20;
                stamps.add(random.nextInt(10) == 0 ? stamp + AHEAD : stamp);
            }
            return new RandomLog(entries, stamps);
        }

        private static ReplicaCommand command(Random random) {
            if (random.nextInt(60) == 0) {
                return new ReplicaCommand.FenceScope(KeyCodec.scope(AppliedRange.TABLE));
            }
            if (random.nextInt(12) == 0) {
                return new ReplicaCommand.ResetClock(AHEAD, AHEAD);
            }
            int first = random.nextInt(3);
            EntityOperation one = operation(random, "r" + first);
            return random.nextBoolean()
                    ? batch(one)
                    : batch(one, operation(random, "r" + (first + 1)));
        }

        private static EntityOperation operation(Random random, String row) {
            EntityOperation.Kind[] kinds = EntityOperation.Kind.values();
            EntityOperation made =
                    AppliedRange.operation(
                            kinds[random.nextInt(kinds.length)],
                            row,
                            property("P" + random.nextInt(3), random.nextInt(10)));
            return random.nextInt(5) == 0 ? ifMatch(made, 1_000 + random.nextInt(50)) : made;
        }
    }

    @Property(tries = 500)
    void outcomesAndRowsAreIdentical_whenReplicaRestarts(
            @ForAll long seed, @ForAll int restartAfter) {
        RandomLog log = RandomLog.of(seed);
        int restart = Math.floorMod(restartAfter, log.entries().size());
        AppliedRange steady = new AppliedRange(TIGHT);
        AppliedRange restarted = new AppliedRange(TIGHT);
        for (int i = 0; i < log.entries().size(); i++) {
            List<Outcome> expected = steady.applyEntry(log.stamps().get(i), log.entries().get(i));
            List<Outcome> outcomes =
                    restarted.applyEntry(log.stamps().get(i), log.entries().get(i));
            if (i == restart) {
                restarted.restart();
            }
            assertThat(outcomes).isEqualTo(expected);
            assertThat(restarted.view.dump()).isEqualTo(steady.view.dump());
        }
    }

    @Property(tries = 500)
    void duplicateCommandReturnsFirstOutcomeOrForgotten(@ForAll long seed) {
        RandomLog log = RandomLog.of(seed);
        AppliedRange range = new AppliedRange(FAITHFUL);
        Map<CommandId, Outcome> first = new HashMap<>();
        for (int i = 0; i < log.entries().size(); i++) {
            List<SubmittedCommand> entry = log.entries().get(i);
            List<Outcome> outcomes = range.applyEntry(log.stamps().get(i), entry);
            for (int j = 0; j < entry.size(); j++) {
                Outcome outcome = outcomes.get(j);
                if (!(outcome instanceof Outcome.Forgotten)) {
                    Outcome before = first.putIfAbsent(entry.get(j).id(), outcome);
                    assertThat(before == null || before.equals(outcome))
                            .as("repeat of %s: %s, then %s", entry.get(j).id(), before, outcome)
                            .isTrue();
                }
            }
        }
    }

    @Property(tries = 500)
    void timestampsAreUnique(@ForAll long seed) {
        RandomLog log = RandomLog.of(seed);
        AppliedRange range = new AppliedRange(TIGHT);
        Set<Long> given = new HashSet<>();
        Map<Key, Long> last = new HashMap<>();
        long now = 0;
        for (int i = 0; i < log.entries().size(); i++) {
            long stamp = log.stamps().get(i);
            // Between two stamps of clocks that are right there is time for all that is written.
            now = Math.max(now + 1_000, stamp < AHEAD ? 1_000 * stamp : 0);
            range.applyEntry(
                    stamp < AHEAD ? now : AHEAD + 1_000 * (stamp - AHEAD), log.entries().get(i));
            range.view.rows.forEach(
                    (key, value) -> {
                        long ticks = EntityCodec.timestampTicks(value);
                        Long before = last.put(key, ticks);
                        if (before == null || before != ticks) {
                            assertThat(given.add(ticks)).as("timestamp %s", ticks).isTrue();
                        }
                    });
        }
    }

    @Property(tries = 500)
    void outcomeRowCountStaysWithinItsLimit(@ForAll long seed) {
        RandomLog log = RandomLog.of(seed);
        AppliedRange range = new AppliedRange(TIGHT);
        for (int i = 0; i < log.entries().size(); i++) {
            range.applyEntry(log.stamps().get(i), log.entries().get(i));
            assertThat(range.view.count(OwnKey.Kind.OUTCOMES)).isLessThanOrEqualTo(6);
        }
    }
}

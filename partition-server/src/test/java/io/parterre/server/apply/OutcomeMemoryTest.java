package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.batch;
import static io.parterre.server.apply.AppliedRange.operation;
import static io.parterre.server.apply.AppliedRange.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.server.command.EntityOperation.Kind;
import io.parterre.server.command.ReplicaCommand;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OutcomeMemoryTest {
    private static final OutcomeLimits LIMITS = new OutcomeLimits(60, 3_600, 600, 4, 3);
    private static final Outcome FORGOTTEN = new Outcome.Forgotten();

    private static final long OTHER = 77;

    /** After this many entries all senders were looked at. */
    private static final int ALL = 1_024;

    private static final int CROWDED = 16;

    private final AppliedRange range = new AppliedRange(LIMITS);

    private long number;

    private static ReplicaCommand upsert(String row) {
        return batch(operation(Kind.INSERT_OR_REPLACE, row));
    }

    private static Outcome written(long ticks) {
        return new Outcome.Written(new long[] {ticks});
    }

    @Test
    void duplicateCommandReturnsFirstOutcomeAndChangesNothing() {
        range.apply(100, 1, 1, 0, upsert("a"));

        assertThat(range.apply(130, 1, 1, 0, upsert("a"))).isEqualTo(written(100));
        assertThat(range.timestamp("a")).isEqualTo(100);
    }

    @Test
    void duplicateCommandReturnsFirstOutcome_whenInSameLogEntry() {
        List<Outcome> outcomes =
                range.applyEntry(
                        100,
                        List.of(submitted(1, 1, 0, upsert("a")), submitted(1, 1, 0, upsert("a"))));

        assertThat(outcomes).containsExactly(written(100), written(100));
    }

    @Test
    void duplicateOfRejectedCommandIsRejected_afterCauseIsGone() {
        range.apply(100, 1, 1, 0, batch(operation(Kind.DELETE, "a")));
        range.apply(100, 1, 2, 0, upsert("a"));

        assertThat(range.apply(101, 1, 1, 0, batch(operation(Kind.DELETE, "a"))))
                .isInstanceOf(Outcome.Rejected.class);
        assertThat(range.view.rows).hasSize(1);
    }

    @Test
    void deduplicationKeepsSendersApart_whenSequencesAreEqual() {
        range.apply(100, 1, 1, 0, upsert("a"));

        assertThat(range.apply(101, 2, 1, 0, upsert("a"))).isEqualTo(written(101));
    }

    @Test
    void settledCommandLosesItsOutcomeAndIsNeverReexecuted() {
        range.apply(100, 1, 1, 0, upsert("a"));
        range.apply(101, 1, 2, 0, upsert("b"));
        assertThat(range.view.count(OwnKey.Kind.OUTCOMES)).isEqualTo(2);

        range.apply(102, 1, 3, 3, upsert("c"));

        assertThat(range.view.count(OwnKey.Kind.OUTCOMES)).isEqualTo(1);
        assertThat(range.apply(103, 1, 2, 0, upsert("b"))).isEqualTo(FORGOTTEN);
        assertThat(range.timestamp("b")).isEqualTo(101);
    }

    @Test
    void commandIsNotExecuted_whenSequenceIsBelowSettledMark() {
        range.apply(100, 1, 5, 5, upsert("a"));

        assertThat(range.apply(101, 1, 4, 0, upsert("b"))).isEqualTo(FORGOTTEN);
        assertThat(range.view.rows).hasSize(1);
    }

    @Test
    void commandIsExecuted_whenOvertakenByLaterSequence() {
        range.apply(100, 1, 5, 0, upsert("a"));

        assertThat(range.apply(101, 1, 4, 0, upsert("b"))).isEqualTo(written(101));
    }

    @Test
    void outcomeExpires_whenLogTimeReachesItsRetention() {
        range.apply(100, 1, 1, 0, upsert("a"));
        range.apply(159, 2, 1, 0, upsert("b"));
        assertThat(range.apply(159, 1, 1, 0, upsert("a"))).isEqualTo(written(100));

        range.apply(160, 2, 2, 0, upsert("b"));

        assertThat(range.apply(160, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
        assertThat(range.timestamp("a")).isEqualTo(100);
    }

    @Test
    void outcomeStaysExpired_whenLeaderClockLags() {
        range.apply(100, 1, 1, 0, upsert("a"));
        range.apply(160, 2, 1, 0, upsert("b"));
        range.apply(10, 2, 2, 0, upsert("b"));

        assertThat(range.apply(10, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void oldestOutcomesAreDropped_whenOutcomeLimitIsExceeded() {
        for (int i = 1; i <= 5; i++) {
            range.apply(100 + i, i % 2, i, 0, upsert("a"));
        }

        assertThat(range.view.count(OwnKey.Kind.OUTCOMES)).isEqualTo(4);
        assertThat(range.apply(106, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
        assertThat(range.apply(106, 0, 2, 0, upsert("a"))).isEqualTo(written(102));
    }

    /** Entries of another sender, one of which is to look at all senders. */
    private void pass(long ticks, int entries) {
        for (int i = 0; i < entries; i++) {
            number++;
            range.apply(ticks, OTHER, number, number, upsert("other"));
        }
    }

    private boolean isKnown(long sender) {
        return range.view.own.containsKey(OwnKey.ofNumber(OwnKey.Kind.SENDER, sender));
    }

    @Test
    void longestSilentSenderIsDropped_whenSenderLimitIsExceeded() {
        for (int sender = 1; sender <= 3; sender++) {
            range.apply(100 + sender, sender, 9, 9, upsert("a"));
        }

        pass(163, CROWDED);
        pass(763, CROWDED);

        assertThat(range.view.count(OwnKey.Kind.SENDER)).isEqualTo(3);
        assertThat(isKnown(1)).isFalse();
        assertThat(range.apply(763, 2, 8, 0, upsert("a"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void silentSenderIsDropped_afterRetentionAndGracePeriod() {
        range.apply(100, 1, 9, 9, upsert("a"));

        pass(3_700, ALL);
        pass(4_299, ALL);
        assertThat(isKnown(1)).isTrue();

        pass(4_300, ALL);
        assertThat(isKnown(1)).isFalse();
    }

    @Test
    void duplicateIsNotReexecuted_whenClockStepsForward() {
        for (long leap : new long[] {3_600, 86_400, 1_000_000_000L}) {
            AppliedRange leaping = new AppliedRange(LIMITS);
            leaping.apply(100, 1, 1, 0, upsert("a"));
            for (int i = 1; i <= ALL; i++) {
                leaping.apply(100 + leap, OTHER, i, i, upsert("other"));
            }

            assertThat(leaping.apply(101 + leap, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
            assertThat(leaping.timestamp("a")).isEqualTo(100);
        }
    }

    @Test
    void duplicateIsNotReexecuted_whenClockStepsWithTooManySenders() {
        for (int sender = 1; sender <= 4; sender++) {
            range.apply(100, sender, 1, 0, upsert("a" + sender));
        }

        pass(100_000, 2 * CROWDED);

        assertThat(range.apply(100_001, 1, 1, 0, upsert("a1"))).isEqualTo(FORGOTTEN);
        assertThat(range.timestamp("a1")).isEqualTo(100);
    }

    @Test
    void duplicateIsNotReexecuted_whenClockStepsForwardTwice() {
        range.apply(100, 1, 1, 0, upsert("a"));
        pass(100_000, ALL);
        range.apply(100_001, 1, 2, 0, upsert("b"));

        pass(200_000, ALL);

        assertThat(range.apply(200_001, 1, 2, 0, upsert("b"))).isEqualTo(FORGOTTEN);
        assertThat(range.apply(200_001, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void silentSenderGracePeriodContinues_afterRestart() {
        range.apply(100, 1, 9, 9, upsert("a"));
        pass(3_700, ALL);
        range.restart();

        pass(4_299, ALL);
        assertThat(isKnown(1)).isTrue();
        pass(4_300, ALL);
        assertThat(isKnown(1)).isFalse();
    }

    @Test
    void timestampsIncreaseAndOutcomesStay_whenClockStepsBack() {
        range.apply(1_000_000, 1, 1, 0, upsert("a"));

        range.apply(100, 1, 2, 0, upsert("a"));

        assertThat(range.timestamp("a")).isEqualTo(1_000_001);
        assertThat(range.apply(100, 1, 1, 0, upsert("a"))).isEqualTo(written(1_000_000));
    }

    @Test
    void recentSenderIsKept_whenSenderLimitIsExceeded() {
        for (int sender = 1; sender <= 5; sender++) {
            range.apply(100, sender, 9, 9, upsert("a"));
        }

        assertThat(range.view.count(OwnKey.Kind.SENDER)).isEqualTo(5);
        assertThat(range.apply(101, 1, 8, 0, upsert("a"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void outcomesAndSettledMarksPersist_afterRestart() {
        range.apply(100, 1, 1, 0, upsert("a"));
        range.apply(101, 1, 2, 2, upsert("b"));
        range.restart();

        assertThat(range.apply(102, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
        assertThat(range.apply(102, 1, 2, 0, upsert("b"))).isEqualTo(written(101));
    }

    @Test
    void outcomeRowIsKept_untilLastCommandOfLogEntryIsSettled() {
        range.applyEntry(
                100,
                List.of(
                        submitted(1, 1, 0, upsert("a")),
                        submitted(2, 1, 0, upsert("b")),
                        submitted(1, 2, 0, upsert("c"))));
        assertThat(range.view.count(OwnKey.Kind.OUTCOMES)).isEqualTo(1);
        OwnKey row =
                range.view.own.keySet().stream()
                        .filter(key -> key.kind() == OwnKey.Kind.OUTCOMES)
                        .findFirst()
                        .orElseThrow();

        range.apply(101, 1, 3, 3, upsert("a"));
        assertThat(range.view.own).containsKey(row);

        range.apply(102, 2, 2, 2, upsert("a"));
        assertThat(range.view.own).doesNotContainKey(row);
    }
}

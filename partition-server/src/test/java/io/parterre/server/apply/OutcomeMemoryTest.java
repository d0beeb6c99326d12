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
    private static final OutcomeLimits LIMITS = new OutcomeLimits(60, 3_600, 4, 3);
    private static final Outcome FORGOTTEN = new Outcome.Forgotten();

    private final AppliedRange range = new AppliedRange(LIMITS);

    private static ReplicaCommand upsert(String row) {
        return batch(operation(Kind.INSERT_OR_REPLACE, row));
    }

    private static Outcome written(long ticks) {
        return new Outcome.Written(new long[] {ticks});
    }

    @Test
    void aRepeatAnswersTheFirstOutcomeAndChangesNothing() {
        range.apply(100, 1, 1, 0, upsert("a"));

        assertThat(range.apply(130, 1, 1, 0, upsert("a"))).isEqualTo(written(100));
        assertThat(range.timestamp("a")).isEqualTo(100);
    }

    @Test
    void aRepeatInTheSameEntryIsARepeatToo() {
        List<Outcome> outcomes =
                range.applyEntry(
                        100,
                        List.of(submitted(1, 1, 0, upsert("a")), submitted(1, 1, 0, upsert("a"))));

        assertThat(outcomes).containsExactly(written(100), written(100));
    }

    @Test
    void aRefusalIsRepeatedThoughItsReasonHasGone() {
        range.apply(100, 1, 1, 0, batch(operation(Kind.DELETE, "a")));
        range.apply(100, 1, 2, 0, upsert("a"));

        assertThat(range.apply(101, 1, 1, 0, batch(operation(Kind.DELETE, "a"))))
                .isInstanceOf(Outcome.Rejected.class);
        assertThat(range.view.rows).hasSize(1);
    }

    @Test
    void sendersDoNotMixUpTheirSequences() {
        range.apply(100, 1, 1, 0, upsert("a"));

        assertThat(range.apply(101, 2, 1, 0, upsert("a"))).isEqualTo(written(101));
    }

    @Test
    void whatIsSettledLeavesMemoryAndStoreAtOnceAndIsNeverExecutedAgain() {
        range.apply(100, 1, 1, 0, upsert("a"));
        range.apply(101, 1, 2, 0, upsert("b"));
        assertThat(range.view.count(OwnKey.Kind.OUTCOMES)).isEqualTo(2);

        range.apply(102, 1, 3, 3, upsert("c"));

        assertThat(range.view.count(OwnKey.Kind.OUTCOMES)).isEqualTo(1);
        assertThat(range.apply(103, 1, 2, 0, upsert("b"))).isEqualTo(FORGOTTEN);
        assertThat(range.timestamp("b")).isEqualTo(101);
    }

    @Test
    void aNewCommandBelowTheSettledMarkIsNotExecuted() {
        range.apply(100, 1, 5, 5, upsert("a"));

        assertThat(range.apply(101, 1, 4, 0, upsert("b"))).isEqualTo(FORGOTTEN);
        assertThat(range.view.rows).hasSize(1);
    }

    @Test
    void commandsMayOvertakeEachOther() {
        range.apply(100, 1, 5, 0, upsert("a"));

        assertThat(range.apply(101, 1, 4, 0, upsert("b"))).isEqualTo(written(101));
    }

    @Test
    void anOutcomeExpiresByLogTime() {
        range.apply(100, 1, 1, 0, upsert("a"));
        range.apply(159, 2, 1, 0, upsert("b"));
        assertThat(range.apply(159, 1, 1, 0, upsert("a"))).isEqualTo(written(100));

        range.apply(160, 2, 2, 0, upsert("b"));

        assertThat(range.apply(160, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
        assertThat(range.timestamp("a")).isEqualTo(100);
    }

    @Test
    void logTimeDoesNotGoBackWithALaggingLeader() {
        range.apply(100, 1, 1, 0, upsert("a"));
        range.apply(160, 2, 1, 0, upsert("b"));
        range.apply(10, 2, 2, 0, upsert("b"));

        assertThat(range.apply(10, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void theOldestOutcomesGoWhenThereAreTooMany() {
        for (int i = 1; i <= 5; i++) {
            range.apply(100 + i, i % 2, i, 0, upsert("a"));
        }

        assertThat(range.view.count(OwnKey.Kind.OUTCOMES)).isEqualTo(4);
        assertThat(range.apply(106, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
        assertThat(range.apply(106, 0, 2, 0, upsert("a"))).isEqualTo(written(102));
    }

    @Test
    void theLongestSilentSenderGoesWhenThereAreTooMany() {
        for (int sender = 1; sender <= 3; sender++) {
            range.apply(100 + sender, sender, 9, 9, upsert("a"));
        }

        range.apply(161, 4, 9, 9, upsert("a"));

        assertThat(range.view.count(OwnKey.Kind.SENDER)).isEqualTo(3);
        assertThat(range.view.own).doesNotContainKey(OwnKey.ofNumber(OwnKey.Kind.SENDER, 1));
        assertThat(range.apply(161, 2, 8, 0, upsert("a"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void aSenderHeardOfLatelyStaysThoughThereAreTooMany() {
        for (int sender = 1; sender <= 5; sender++) {
            range.apply(100, sender, 9, 9, upsert("a"));
        }

        assertThat(range.view.count(OwnKey.Kind.SENDER)).isEqualTo(5);
        assertThat(range.apply(101, 1, 8, 0, upsert("a"))).isEqualTo(FORGOTTEN);
    }

    @Test
    void aRestartRemembersOutcomesAndWhatIsSettled() {
        range.apply(100, 1, 1, 0, upsert("a"));
        range.apply(101, 1, 2, 2, upsert("b"));
        range.restart();

        assertThat(range.apply(102, 1, 1, 0, upsert("a"))).isEqualTo(FORGOTTEN);
        assertThat(range.apply(102, 1, 2, 0, upsert("b"))).isEqualTo(written(101));
    }

    @Test
    void anEntryWithManyCommandsKeepsOneRowUntilTheLastIsSettled() {
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

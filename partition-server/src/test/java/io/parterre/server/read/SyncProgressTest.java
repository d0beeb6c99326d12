package io.parterre.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.server.read.SyncProgress.LeaderCommit;
import io.parterre.server.rows.AppliedPosition;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SyncProgressTest {
    private static final Duration LAG = Duration.ofNanos(2);
    private static final Duration CATCH_UP = Duration.ofNanos(100);

    private static AppliedPosition applied(long term, long index) {
        return new AppliedPosition(term, index);
    }

    @Test
    void syncTimeIsUnknown_untilLeaderIsHeard() {
        assertThat(SyncProgress.UNKNOWN.at(applied(1, 100)).syncedNanos()).isEmpty();
    }

    @Test
    void replicaIsSynced_whenAllCommittedEntriesAreApplied() {
        SyncProgress behind = SyncProgress.UNKNOWN.after(new LeaderCommit(10, 1, 5), applied(1, 4));
        assertThat(behind.syncedNanos()).isEmpty();
        assertThat(behind.at(applied(1, 4)).syncedNanos()).isEmpty();
        assertThat(behind.at(applied(1, 5)).syncedNanos()).hasValue(10);
        assertThat(behind.at(applied(1, 5)).pending()).isEmpty();
    }

    @Test
    void syncTimeDoesNotAdvance_whenReplicaHearsNothingOrIsBehind() {
        SyncProgress synced = SyncProgress.UNKNOWN.after(new LeaderCommit(10, 1, 5), applied(1, 5));
        assertThat(synced.at(applied(1, 5)).syncedNanos()).hasValue(10);
        assertThat(synced.after(new LeaderCommit(20, 1, 9), applied(1, 5)).syncedNanos())
                .hasValue(10);
    }

    @Test
    void syncTimeIsUnknown_untilLeaderCommitsInItsTerm() {
        // The leader before it may have acknowledged entry 6, which this one will only learn of.
        SyncProgress unsure = SyncProgress.UNKNOWN.after(new LeaderCommit(10, 2, 5), applied(1, 5));
        assertThat(unsure.syncedNanos()).isEmpty();
        assertThat(unsure.at(applied(2, 7)).syncedNanos()).hasValue(10);
    }

    @Test
    void syncTimeAdvances_whileReplicaIsAlwaysSlightlyBehind() {
        SyncProgress progress = SyncProgress.UNKNOWN;
        for (int i = 1; i <= 10; i++) {
            progress = progress.after(new LeaderCommit(10 * i, 1, 10 * i), applied(1, 10 * i - 5));
        }
        assertThat(progress.syncedNanos()).hasValue(90);
    }

    @Test
    void syncTimeNeverDecreases_whenLeaderReportsArriveLate() {
        SyncProgress synced = SyncProgress.UNKNOWN.after(new LeaderCommit(20, 1, 5), applied(1, 5));
        assertThat(synced.after(new LeaderCommit(10, 1, 4), applied(1, 5)).syncedNanos())
                .hasValue(20);
        assertThat(synced.syncedAt(15).syncedNanos()).hasValue(20);
        assertThat(synced.syncedAt(25).syncedNanos()).hasValue(25);
    }

    @Test
    void replicaHasNotCaughtUp_untilFirstHeardCommitIsApplied() {
        SyncProgress behind = SyncProgress.UNKNOWN.after(new LeaderCommit(10, 1, 5), applied(1, 4));
        assertThat(SyncProgress.UNKNOWN.hasCaughtUp(1_000, LAG, CATCH_UP, true)).isFalse();
        assertThat(behind.met(11).hasCaughtUp(1_000, LAG, CATCH_UP, true)).isFalse();
        assertThat(behind.at(applied(1, 5)).hasCaughtUp(11, LAG, CATCH_UP, true)).isTrue();
    }

    @Test
    void replicaHasNotCaughtUp_whileLagIsLargeAndTimeIsLeft() {
        SyncProgress synced =
                SyncProgress.UNKNOWN
                        .after(new LeaderCommit(10, 1, 5), applied(1, 4))
                        .at(applied(1, 5))
                        .after(new LeaderCommit(300, 1, 90), applied(1, 5))
                        .met(300);
        assertThat(synced.hasCaughtUp(12, LAG, CATCH_UP, true)).isTrue();
        assertThat(synced.hasCaughtUp(301, LAG, CATCH_UP, true)).isFalse();
        assertThat(synced.met(350).hasCaughtUp(400, LAG, CATCH_UP, true)).isFalse();
    }

    @Test
    void replicaCountsAsCaughtUp_whenLoadKeepsItBehindForLonger() {
        SyncProgress loaded =
                SyncProgress.UNKNOWN
                        .after(new LeaderCommit(10, 1, 5), applied(1, 5))
                        .met(10)
                        .after(new LeaderCommit(50, 1, 90), applied(1, 20));
        assertThat(loaded.hasCaughtUp(111, LAG, CATCH_UP, true)).isTrue();
        assertThat(loaded.hasCaughtUp(111, LAG, CATCH_UP, false)).as("a silent leader").isFalse();
        assertThat(loaded.at(applied(1, 90)).hasCaughtUp(111, LAG, CATCH_UP, true))
                .as("nothing is pending, so it is no load")
                .isFalse();
    }
}

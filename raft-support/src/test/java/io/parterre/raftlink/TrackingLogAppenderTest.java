package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.junit.jupiter.api.Test;

final class TrackingLogAppenderTest {
    @Test
    void followerGetsLogEntries_whenSnapshotReachesStartOfLog() {
        assertThat(TrackingLogAppender.canAppend(11, 10, 11, true, false)).isTrue();
        assertThat(TrackingLogAppender.canAppend(15, 14, 11, true, false)).isTrue();
    }

    @Test
    void followerGetsSnapshot_whenBehindStartOfLog() {
        assertThat(TrackingLogAppender.canAppend(10, 9, 11, true, false)).isFalse();
        assertThat(TrackingLogAppender.canAppend(0, -1, 11, true, false)).isFalse();
    }

    @Test
    void followerGetsSnapshot_whenLogDoesNotFollowItsSnapshot() {
        assertThat(TrackingLogAppender.canAppend(11, 3, 11, true, false)).isFalse();
    }

    @Test
    void followerGetsNoLogEntries_whenLeaderLogIsEmpty() {
        assertThat(TrackingLogAppender.canAppend(11, 10, -1, true, false)).isFalse();
    }

    @Test
    void newMemberGetsSnapshotBeforeLogEntries() {
        assertThat(TrackingLogAppender.canAppend(11, 10, 11, true, true)).isFalse();
    }

    private static final long SECOND = 1_000_000_000L;

    private static TrackingLogAppender.Lack lack(long acknowledged, long next, long seconds) {
        return TrackingLogAppender.Lack.NONE.next(acknowledged, next, seconds * SECOND);
    }

    @Test
    void followerLacksAckedEntries_whenItSaysSoForSeconds() {
        TrackingLogAppender.Lack first = lack(408, 202, 1);
        assertThat(first.isCertain(2 * SECOND)).isFalse();
        assertThat(first.next(408, 202, 5 * SECOND).isCertain(5 * SECOND)).isTrue();
        assertThat(lack(408, 408, 1).next(408, 408, 5 * SECOND).isCertain(5 * SECOND)).isTrue();
    }

    @Test
    void followerLacksNothing_whenItHasAllItAcknowledged() {
        assertThat(lack(408, 409, 1)).isEqualTo(TrackingLogAppender.Lack.NONE);
        assertThat(lack(0, 0, 1)).as("new").isEqualTo(TrackingLogAppender.Lack.NONE);
        assertThat(lack(-1, 0, 1)).as("not heard yet").isEqualTo(TrackingLogAppender.Lack.NONE);
        assertThat(lack(408, 202, 1).next(408, 409, 5 * SECOND).isCertain(9 * SECOND)).isFalse();
    }

    /** Seen with two streams under load, each time a member comes back. */
    @Test
    void followerLacksNothing_whenAcksOvertakeItsAnswers() {
        TrackingLogAppender.Lack lack = lack(27_447, 27_445, 1);
        lack = lack.next(27_453, 27_452, 5 * SECOND);
        assertThat(lack.isCertain(5 * SECOND)).isFalse();
    }

    @Test
    void ratisCreatesGuardedRpcType_byItsName() {
        RpcType type = RpcType.valueOf(new GuardedRpcType().name());
        assertThat(type).isInstanceOf(GuardedRpcType.class);
        assertThat(type.newFactory(new Parameters())).isInstanceOf(GrpcFactory.class);
    }

    @Test
    void copyIsSent_whenEntryBeforeTheFirstOfTheLogIsForgotten() {
        assertThat(TrackingLogAppender.canAppend(11, 10, 11, false, false)).isFalse();
    }

    @Test
    void copyReachesFirstEntry_whenFollowerHoldsAllBeforeIt() {
        assertThat(TrackingLogAppender.copyReaches(11, 11, 15)).isEqualTo(12);
        assertThat(TrackingLogAppender.copyReaches(11, 11, 11)).isEqualTo(12);
        assertThat(TrackingLogAppender.copyReaches(11, 11, 10))
                .as("it has no such rows")
                .isEqualTo(11);
        assertThat(TrackingLogAppender.copyReaches(10, 11, 15)).isEqualTo(11);
    }
}

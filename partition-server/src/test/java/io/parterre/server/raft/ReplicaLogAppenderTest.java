package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.junit.jupiter.api.Test;

final class ReplicaLogAppenderTest {
    @Test
    void followerGetsLogEntries_whenSnapshotReachesStartOfLog() {
        assertThat(ReplicaLogAppender.canAppend(11, 10, 11, false)).isTrue();
        assertThat(ReplicaLogAppender.canAppend(15, 14, 11, false)).isTrue();
    }

    @Test
    void followerGetsSnapshot_whenBehindStartOfLog() {
        assertThat(ReplicaLogAppender.canAppend(10, 9, 11, false)).isFalse();
        assertThat(ReplicaLogAppender.canAppend(0, -1, 11, false)).isFalse();
    }

    @Test
    void followerGetsSnapshot_whenLogDoesNotFollowItsSnapshot() {
        assertThat(ReplicaLogAppender.canAppend(11, 3, 11, false)).isFalse();
    }

    @Test
    void followerGetsNoLogEntries_whenLeaderLogIsEmpty() {
        assertThat(ReplicaLogAppender.canAppend(11, 10, -1, false)).isFalse();
    }

    @Test
    void newMemberGetsSnapshotBeforeLogEntries() {
        assertThat(ReplicaLogAppender.canAppend(11, 10, 11, true)).isFalse();
    }

    @Test
    void followerIsRegressed_whenItLacksWhatItAcknowledged() {
        assertThat(ReplicaLogAppender.isRegressed(408, 202, 20_000)).isTrue();
        assertThat(ReplicaLogAppender.isRegressed(408, 408, 20_000)).isTrue();
        assertThat(ReplicaLogAppender.isRegressed(408, 409, 20_000)).isFalse();
        assertThat(ReplicaLogAppender.isRegressed(0, 0, 20_000)).as("new").isFalse();
        assertThat(ReplicaLogAppender.isRegressed(-1, 0, 20_000)).as("not heard yet").isFalse();
    }

    /** Seen with two streams under load, each time a member comes back. */
    @Test
    void followerIsNotRegressed_whenLaterAckOvertookItsAnswer() {
        assertThat(ReplicaLogAppender.isRegressed(27_447, 27_445, 3)).isFalse();
        assertThat(ReplicaLogAppender.isRegressed(27_447, 27_445, 10_000)).isFalse();
    }

    @Test
    void ratisCreatesReplicaRpcType_byItsName() {
        RpcType type = RpcType.valueOf(new ReplicaRpcType().name());
        assertThat(type).isInstanceOf(ReplicaRpcType.class);
        assertThat(type.newFactory(new Parameters())).isInstanceOf(GrpcFactory.class);
    }
}

package org.apache.ratis.server.raftlog.segmented;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Test;

class LogWritersTest {
    private final RaftGroupMemberId closing = member("node-1");
    private final RaftGroupMemberId other = member("node-10");

    private static RaftGroupMemberId member(String node) {
        return RaftGroupMemberId.valueOf(
                RaftPeerId.valueOf(node), RaftGroupId.valueOf(new UUID(0, 7)));
    }

    @Test
    void idleLogWriterGetsTask_whileItsGroupCloses() throws Exception {
        LogWriters.watch();
        try (IdleLogWriter writer = new IdleLogWriter(closing);
                IdleLogWriter stays = new IdleLogWriter(other)) {
            try (LogWriters.Waking waking = LogWriters.wake(List.of(closing))) {
                SegmentedRaftLog.Task task = writer.task();
                task.execute();
                task.done();
                assertThat(task.getFuture()).isCompleted();
            }

            assertThat(stays.isWoken()).isFalse();
        }
    }
}

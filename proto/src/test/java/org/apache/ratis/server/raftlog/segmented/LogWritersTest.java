package org.apache.ratis.server.raftlog.segmented;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.apache.ratis.util.DataBlockingQueue;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Test;

class LogWritersTest {
    private static final TimeDuration LONG = TimeDuration.valueOf(60, TimeUnit.SECONDS);

    private final RaftGroupMemberId closing = member("node-1");
    private final RaftGroupMemberId other = member("node-10");

    private static RaftGroupMemberId member(String node) {
        return RaftGroupMemberId.valueOf(
                RaftPeerId.valueOf(node), RaftGroupId.valueOf(new UUID(0, 7)));
    }

    /** Waits for a task as the writer of a log does. */
    private static final class Writer {
        private final DataBlockingQueue<SegmentedRaftLog.Task> queue =
                new DataBlockingQueue<>(
                        "queue", SizeInBytes.ONE_MB, 10, SegmentedRaftLog.Task::getSerializedSize);
        private final BlockingQueue<Optional<SegmentedRaftLog.Task>> taken =
                new LinkedBlockingQueue<>();
        private final CountDownLatch started = new CountDownLatch(1);
        private final Thread thread;

        Writer(RaftGroupMemberId member) throws InterruptedException {
            thread = new Thread(this::run, member + "-SegmentedRaftLogWorker");
            thread.setDaemon(true);
            thread.start();
            started.await();
        }

        private void run() {
            CodeInjectionForTesting.execute(
                    SegmentedRaftLogWorker.RUN_WORKER, null, null, new Object[] {queue});
            started.countDown();
            try {
                taken.add(Optional.ofNullable(queue.poll(LONG)));
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void idleLogWriterGetsTask_whileItsGroupCloses() throws Exception {
        LogWriters.watch();
        Writer writer = new Writer(closing);
        Writer stays = new Writer(other);

        try (LogWriters.Waking waking = LogWriters.wake(List.of(closing))) {
            SegmentedRaftLog.Task task = writer.taken.poll(30, TimeUnit.SECONDS).orElseThrow();
            task.execute();
            task.done();
            assertThat(task.getFuture()).isCompleted();
        }

        assertThat(stays.taken).isEmpty();
        assertThat(stays.queue.getNumElements()).isZero();
        stays.thread.interrupt();
    }
}

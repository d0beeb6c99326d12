package org.apache.ratis.server.raftlog.segmented;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.apache.ratis.util.DataBlockingQueue;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Waits for a task as the writer of a member's log does, only for longer. */
public final class IdleLogWriter implements AutoCloseable {
    private static final TimeDuration LONG = TimeDuration.valueOf(10, TimeUnit.MINUTES);

    private final DataBlockingQueue<SegmentedRaftLog.Task> queue =
            new DataBlockingQueue<>(
                    "queue", SizeInBytes.ONE_MB, 10, SegmentedRaftLog.Task::getSerializedSize);
    private final BlockingQueue<Optional<SegmentedRaftLog.Task>> taken =
            new LinkedBlockingQueue<>();
    private final CountDownLatch started = new CountDownLatch(1);
    private final Thread thread;

    public IdleLogWriter(RaftGroupMemberId member) throws InterruptedException {
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

    /** Returns the task that it was given, once it is. */
    SegmentedRaftLog.Task task() throws InterruptedException {
        return taken.poll(90, TimeUnit.SECONDS).orElseThrow();
    }

    /** Says whether it was handed a task, also one that it has not taken yet. */
    public boolean isWoken() {
        return !taken.isEmpty() || queue.getNumElements() > 0;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

package org.apache.ratis.server.raftlog.segmented;

import io.parterre.concurrent.DaemonThreads;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.apache.ratis.util.DataBlockingQueue;

/**
 * Wakes the log writers of groups that close. An idle log writer of Ratis 3.3.0 checks only once a
 * second whether the writer must end (RATIS-2665). Each close and each removal of a replica would
 * wait for half a second on average, under the lock of the thread that adds or removes replicas.
 * The writer gets tasks that do nothing, because an interrupt could break the file that the writer
 * writes.
 */
public final class LogWriters {
    private static final long PAUSE_NANOS = 2_000_000;

    /** Task queue of each log writer, by thread, for as long as the thread exists. */
    private static final Map<Thread, DataBlockingQueue<SegmentedRaftLog.Task>> QUEUES =
            Collections.synchronizedMap(new WeakHashMap<>());

    private LogWriters() {}

    /** Registers every log writer that starts after this call. */
    @SuppressWarnings("unchecked") // the type that Ratis passes at this point
    public static void watch() {
        CodeInjectionForTesting.put(
                SegmentedRaftLogWorker.RUN_WORKER,
                (server, other, handed) -> {
                    QUEUES.put(
                            Thread.currentThread(),
                            (DataBlockingQueue<SegmentedRaftLog.Task>) handed[0]);
                    return true;
                });
    }

    /**
     * Ends the log writers of these members as soon as their groups close, until the result is
     * closed.
     */
    public static Waking wake(Collection<RaftGroupMemberId> closing) {
        return new Waking(closing.stream().map(RaftGroupMemberId::toString).toList());
    }

    /** Wakes log writers until this object is closed. {@link #close} waits for nothing. */
    public static final class Waking implements AutoCloseable {
        private final List<String> members;
        private volatile boolean over;

        private Waking(List<String> members) {
            this.members = members;
            if (!members.isEmpty()) {
                DaemonThreads.unstarted("partition-log-waking", this::wakeAgainAndAgain).start();
            }
        }

        private void wakeAgainAndAgain() {
            while (!over) {
                for (DataBlockingQueue<SegmentedRaftLog.Task> queue : queues()) {
                    if (queue.getNumElements() == 0) {
                        queue.offer(new Nothing());
                    }
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }

        private List<DataBlockingQueue<SegmentedRaftLog.Task>> queues() {
            synchronized (QUEUES) {
                return QUEUES.entrySet().stream()
                        .filter(each -> each.getKey().isAlive() && isOfMember(each.getKey()))
                        .map(Map.Entry::getValue)
                        .toList();
            }
        }

        private boolean isOfMember(Thread writer) {
            return members.stream().anyMatch(member -> writer.getName().startsWith(member + "-"));
        }

        @Override
        public void close() {
            over = true;
        }
    }

    private static final class Nothing extends SegmentedRaftLog.Task {
        @Override
        void execute() {}

        /**
         * Returns the greatest index, because a failed log would otherwise report each of these
         * tasks.
         */
        @Override
        long getEndIndex() {
            return Long.MAX_VALUE;
        }
    }
}

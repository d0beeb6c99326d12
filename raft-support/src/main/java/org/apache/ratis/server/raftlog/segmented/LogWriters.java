package org.apache.ratis.server.raftlog.segmented;

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
 * Wakes the threads that write the logs of groups while these close. Ratis has such a thread look
 * only once a second whether it is to end: each close and each removal of a replica would wait for
 * half a second on average, under the lock of whoever adds or removes another one. It is handed
 * tasks that do nothing; an interrupt could break the file it writes.
 */
public final class LogWriters {
    private static final long PAUSE_NANOS = 2_000_000;

    /** By their thread, as long as it is there. */
    private static final Map<Thread, DataBlockingQueue<SegmentedRaftLog.Task>> QUEUES =
            Collections.synchronizedMap(new WeakHashMap<>());

    private LogWriters() {}

    /** Learns of all that are started from now on. */
    @SuppressWarnings("unchecked") // what Ratis hands over there
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

    /** Has the logs of these members written to no more as soon as their groups close. */
    public static Waking wake(Collection<RaftGroupMemberId> closing) {
        return new Waking(closing.stream().map(RaftGroupMemberId::toString).toList());
    }

    /** Wakes threads until it is closed; that waits for nothing. */
    public static final class Waking implements AutoCloseable {
        private final List<String> members;
        private volatile boolean over;

        private Waking(List<String> members) {
            this.members = members;
            if (!members.isEmpty()) {
                Thread thread = new Thread(this::wakeAgainAndAgain, "partition-log-waking");
                thread.setDaemon(true);
                thread.start();
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

        /** Or a log that has failed would tell of each. */
        @Override
        long getEndIndex() {
            return Long.MAX_VALUE;
        }
    }
}

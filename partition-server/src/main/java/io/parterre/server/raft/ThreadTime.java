package io.parterre.server.raft;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of the thread that asks. Stateless; safe for any thread. */
final class ThreadTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean TOLD =
            THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

    private ThreadTime() {}

    /** In nanoseconds, by a system call; negative: the machine does not tell. */
    static long nanos() {
        return TOLD ? THREADS.getCurrentThreadCpuTime() : -1;
    }
}

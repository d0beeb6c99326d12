package io.parterre.server.metrics;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of the calling thread. Stateless; safe for any thread. */
public final class ThreadTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean TOLD =
            THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

    private ThreadTime() {}

    /**
     * Returns the time in nanoseconds, by a system call; negative: the machine does not report it.
     */
    public static long nanos() {
        return TOLD ? THREADS.getCurrentThreadCpuTime() : -1;
    }
}

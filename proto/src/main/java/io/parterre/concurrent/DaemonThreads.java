package io.parterre.concurrent;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes threads that do not keep the process alive, and waits for their end. Safe for any thread.
 */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** Returns a thread that is not started yet. */
    public static Thread unstarted(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns a factory of threads that all have this name. */
    public static ThreadFactory named(String name) {
        return work -> unstarted(name, work);
    }

    /** Returns a factory of threads with this name and a number from 0 on. */
    public static ThreadFactory numbered(String name) {
        AtomicInteger number = new AtomicInteger();
        return work -> unstarted(name + "-" + number.getAndIncrement(), work);
    }

    /**
     * Waits for the running tasks of a pool that was shut down. An interrupt ends the wait and
     * stays set.
     *
     * @return false if a task still runs
     */
    public static boolean awaitEnd(ExecutorService pool, Duration wait) {
        try {
            return pool.awaitTermination(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return pool.isTerminated();
        }
    }
}

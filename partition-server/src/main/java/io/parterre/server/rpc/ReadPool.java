package io.parterre.server.rpc;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that wait for the disk, and a bounded queue before them. Safe for any thread. */
final class ReadPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadPool.class);
    private static final int CLOSE_SECONDS_MAX = 10;

    private final ThreadPoolExecutor threads;
    private final TrampolineExecutor answers;

    /**
     * A pool.
     *
     * @param answers what a task hands to it, the pool's thread does when the task has ended
     */
    ReadPool(String name, int threadCount, int queueMax, TrampolineExecutor answers) {
        this.answers = answers;
        AtomicInteger number = new AtomicInteger();
        threads =
                new ThreadPoolExecutor(
                        threadCount,
                        threadCount,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(queueMax),
                        task -> {
                            Thread thread = new Thread(task, name + "-" + number.getAndIncrement());
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** False if too much waits already. */
    boolean tryRun(Runnable task) {
        try {
            threads.execute(() -> answers.run(task));
            return true;
        } catch (RejectedExecutionException full) {
            return false;
        }
    }

    int waiting() {
        return threads.getQueue().size();
    }

    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("reads still run at close");
                threads.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

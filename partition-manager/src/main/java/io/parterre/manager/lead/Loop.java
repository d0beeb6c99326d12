package io.parterre.manager.lead;

import io.parterre.concurrent.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns the leader's soft state. Its queue is bounded: calls need a permit, and
 * any other task is queued at most once at a time. Thread-safe.
 */
final class Loop implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("manager-loop"));
    private final Semaphore calls;

    Loop(int callsMax) {
        calls = new Semaphore(callsMax);
    }

    /**
     * Takes a permit for a call, to be returned by {@link #callEnded}. Returns false if too many
     * calls are in progress.
     */
    boolean tryBeginCall() {
        return calls.tryAcquire();
    }

    void callEnded() {
        calls.release();
    }

    /**
     * Queues the task.
     *
     * @throws RejectedExecutionException after {@link #close}
     */
    @Override
    public void execute(Runnable task) {
        thread.execute(() -> guarded(task));
    }

    void every(Duration period, Runnable task) {
        thread.scheduleWithFixedDelay(
                () -> guarded(task), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns a task that runs once, however often it is asked for before it runs. */
    Runnable coalesced(Runnable task) {
        AtomicBoolean waiting = new AtomicBoolean();
        return () -> {
            if (waiting.compareAndSet(false, true)) {
                try {
                    execute(
                            () -> {
                                // Before the run, because an event during the run needs another
                                // one.
                                waiting.set(false);
                                task.run();
                            });
                } catch (RejectedExecutionException e) {
                    LOG.debug("manager loop closed, task dropped");
                }
            }
        };
    }

    /** Returns the root cause of what failed, for logs and answers. */
    static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.toString();
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("manager loop task failed", e);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
        DaemonThreads.awaitEnd(thread, CLOSE_TIMEOUT);
        thread.shutdownNow();
    }
}

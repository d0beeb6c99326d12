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
 * The one thread that owns the leader's soft state. What waits for it is bounded: calls by permits,
 * everything else because it is asked for at most once at a time.
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

    /** Takes a permit for a call, to be given back by {@link #callEnded}; false: too many run. */
    boolean tryBeginCall() {
        return calls.tryAcquire();
    }

    void callEnded() {
        calls.release();
    }

    /**
     * Runs the task soon.
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

    /** A task that, asked for many times before it runs, runs once. */
    Runnable coalesced(Runnable task) {
        AtomicBoolean waiting = new AtomicBoolean();
        return () -> {
            if (waiting.compareAndSet(false, true)) {
                try {
                    execute(
                            () -> {
                                // Before the run: what comes up during it needs another one.
                                waiting.set(false);
                                task.run();
                            });
                } catch (RejectedExecutionException e) {
                    LOG.debug("manager loop closed, task dropped");
                }
            }
        };
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

package io.parterre.concurrent;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Calls back when a time has passed. Given from outside, like a clock, so that a test decides when
 * that is. Safe for any thread; never blocks.
 */
@FunctionalInterface
public interface Alarm {
    /**
     * Sets one.
     *
     * @param task runs on a thread of the alarm's once the delay has passed, unless it is cancelled
     *     before, or the process part that it belongs to has ended
     * @return cancels it
     */
    Runnable in(Duration delay, Runnable task);

    /**
     * An alarm by a timer.
     *
     * @param timer after its end no alarm rings
     * @param tasks runs what is due, which may take longer than the timer may be late
     */
    static Alarm of(ScheduledExecutorService timer, Executor tasks) {
        return (delay, task) -> {
            try {
                Future<?> due =
                        timer.schedule(
                                () -> tasks.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> due.cancel(false);
            } catch (RejectedExecutionException ended) {
                return () -> {};
            }
        };
    }
}

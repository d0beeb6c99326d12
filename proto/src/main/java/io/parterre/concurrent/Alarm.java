package io.parterre.concurrent;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks after a delay. Injected like a clock, so that a test decides when that is. Safe for
 * any thread; never blocks.
 */
@FunctionalInterface
public interface Alarm {
    /**
     * Schedules a task.
     *
     * @param task runs on a thread of the alarm once the delay has passed, unless it is cancelled
     *     before, or the part of the process that owns the alarm has ended
     * @return cancels the task
     */
    Runnable in(Duration delay, Runnable task);

    /**
     * Returns an alarm that uses a timer.
     *
     * @param timer no alarm rings after its end
     * @param tasks runs due tasks, which may take longer than the timer may be late
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

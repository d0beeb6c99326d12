package io.parterre.server.raft;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Calls back when a time has passed. Safe for any thread; never blocks. */
@FunctionalInterface
interface Alarm {
    /**
     * Sets one.
     *
     * @param task on a thread of the alarm's, unless it is cancelled before
     * @return cancels it
     */
    Runnable in(Duration delay, Runnable task);

    /** The alarm of the virtual machine, whose tasks may wait for a while. */
    static Alarm system() {
        return (delay, task) -> {
            CompletableFuture<Void> due =
                    new CompletableFuture<Void>()
                            .completeOnTimeout(null, delay.toNanos(), TimeUnit.NANOSECONDS);
            due.thenRunAsync(task);
            return () -> due.cancel(false);
        };
    }
}

package io.parterre.deploy.operator;

import io.parterre.deploy.ExitCode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits for something of the cluster and tells how it goes. For one thread, which sleeps. */
final class Waiting {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final PrintWriter told;
    private final long endNanos;
    private String last = "";

    /**
     * Begins to wait.
     *
     * @param told hears what is waited for, each time that changes
     * @param max over all calls
     */
    Waiting(PrintWriter told, Duration max) {
        this.told = told;
        this.endNanos = System.nanoTime() + max.toNanos();
    }

    /**
     * Returns when nothing is waited for any more.
     *
     * @param waitedFor a sentence; empty: nothing
     * @throws OperatorException if there is still something when the time is over
     */
    void until(Supplier<Optional<String>> waitedFor) {
        while (true) {
            Optional<String> left = waitedFor.get();
            if (left.isEmpty()) {
                return;
            }
            if (!left.get().equals(last)) {
                last = left.get();
                told.println(last);
            }
            if (System.nanoTime() - endNanos >= 0) {
                throw new OperatorException(ExitCode.NOT_YET, "not yet: " + last);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorException(ExitCode.FAILED, "interrupted");
        }
    }
}

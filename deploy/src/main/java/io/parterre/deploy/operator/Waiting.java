package io.parterre.deploy.operator;

import io.parterre.deploy.ExitCode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Waits for a condition of the cluster and reports progress. Confined to one thread, which sleeps.
 */
final class Waiting {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final PrintWriter told;
    private final long endNanos;
    private String last = "";

    /**
     * Starts to wait.
     *
     * @param told receives what is waited for, whenever this changes
     * @param max longest time over all calls
     */
    Waiting(PrintWriter told, Duration max) {
        this.told = told;
        this.endNanos = System.nanoTime() + max.toNanos();
    }

    /**
     * Returns when nothing is waited for any more.
     *
     * @param waitedFor returns a sentence; empty if nothing is waited for
     * @throws OperatorException if something is still waited for when the time is over
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
            pause(PAUSE);
        }
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorException(ExitCode.FAILED, "interrupted");
        }
    }
}

package io.parterre.deploy.backup;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Tries a call again while a range moves, is split, merged, elects or is busy. Each is over within
 * seconds; what lasts longer is for the operator to see. For one thread, which sleeps.
 */
final class Patience {
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    private final Duration max;

    /**
     * Patience.
     *
     * @param max how long one thing may fail before it is given up
     */
    Patience(Duration max) {
        this.max = max;
    }

    /** One try. */
    interface Try<T> {
        /** Its result; empty: to be tried again. */
        Optional<T> make() throws IOException;
    }

    /**
     * The result of the first try that has one.
     *
     * @param what is tried, for people
     * @throws BackupException if none had before the time was over, or one was refused for good
     */
    <T> T until(String what, Try<T> call) throws IOException {
        long endNanos = System.nanoTime() + max.toNanos();
        Duration pause = PAUSE_MIN;
        String last = "nobody leads it";
        while (true) {
            try {
                Optional<T> result = call.make();
                if (result.isPresent()) {
                    return result.get();
                }
            } catch (StatusRuntimeException failure) {
                last = failure.getStatus().getCode() + " " + failure.getStatus().getDescription();
                if (isLasting(failure.getStatus())) {
                    throw BackupException.refused(what + ": " + last);
                }
            }
            if (System.nanoTime() - endNanos > 0) {
                throw BackupException.refused(
                        what + ": given up after " + max.toSeconds() + " s: " + last);
            }
            sleep(pause);
            Duration twice = pause.multipliedBy(2);
            pause = twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
        }
    }

    private static boolean isLasting(Status status) {
        return switch (status.getCode()) {
            case PERMISSION_DENIED, UNAUTHENTICATED, UNIMPLEMENTED, INVALID_ARGUMENT -> true;
            default -> false;
        };
    }

    private static void sleep(Duration pause) throws IOException {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}

package io.parterre.deploy.backup;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Tries a call again while a range moves, is split, merged, elects or is busy. Each is over within
 * seconds; what lasts longer is for the operator to see. What counts is the time since a try last
 * got on; a node that is busy may be so for longer. Safe for any thread; the caller's thread
 * sleeps.
 */
final class Patience {
    private static final String NOT_LED = "nobody leads it";
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    /** How many times as long a node may be busy. */
    private static final int BUSY_TIMES = 12;

    /** Tries in turn that may get on, and no further than one before. */
    private static final int REPEATS_MAX = 10;

    private final Duration max;
    private final Duration busyMax;
    private final LongSupplier nanos;
    private final Pauses pauses;

    /**
     * Patience.
     *
     * @param max how long one thing may fail without getting on before it is given up; twelve times
     *     as long while its node is busy
     */
    Patience(Duration max) {
        this(max, System::nanoTime, pause -> Thread.sleep(pause.toMillis()));
    }

    /** The same with another clock. */
    Patience(Duration max, LongSupplier nanos, Pauses pauses) {
        this.max = max;
        this.busyMax = max.multipliedBy(BUSY_TIMES);
        this.nanos = nanos;
        this.pauses = pauses;
    }

    /** Lets time pass. */
    @FunctionalInterface
    interface Pauses {
        void pause(Duration pause) throws InterruptedException;
    }

    /** Hears that a try gets on. */
    @FunctionalInterface
    interface Progress {
        /** So much of what is tried has come, counted from its beginning. */
        void at(long count);
    }

    /** One try. */
    interface Try<T> {
        /** Its result; empty: to be tried again. */
        Optional<T> make(Progress progress) throws IOException;
    }

    /**
     * The result of the first try that has one.
     *
     * @param what is tried, for people
     * @throws BackupException if none had before the time was over, or one was refused for good
     */
    <T> T until(String what, Try<T> call) throws IOException {
        Trouble trouble = new Trouble();
        Duration pause = PAUSE_MIN;
        String last;
        while (true) {
            boolean busy = false;
            trouble.reached = 0;
            try {
                Optional<T> result = call.make(trouble);
                if (result.isPresent()) {
                    return result.get();
                }
                last = NOT_LED;
            } catch (StatusRuntimeException failure) {
                last = failure.getStatus().getCode() + " " + failure.getStatus().getDescription();
                if (isLasting(failure.getStatus())) {
                    throw BackupException.refused(what + ": " + last);
                }
                busy = failure.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED;
            }
            Optional<String> over = trouble.over(busy);
            if (over.isPresent()) {
                throw BackupException.refused(
                        what + ": given up after " + over.get() + ": " + last);
            }
            if (trouble.reached > 0) {
                pause = PAUSE_MIN;
            }
            sleep(pause);
            Duration twice = pause.multipliedBy(2);
            pause = twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
        }
    }

    /** How long tries of one thing have got no further. */
    private final class Trouble implements Progress {
        private long progressNanos = nanos.getAsLong();
        private long sinceNanos = progressNanos;
        private long reached;
        private long furthest;
        private int repeats;

        @Override
        public void at(long count) {
            reached = count;
            progressNanos = nanos.getAsLong();
            sinceNanos = progressNanos;
        }

        /** After a try without result: after what it is to be given up; empty: it is not. */
        Optional<String> over(boolean busy) {
            long now = nanos.getAsLong();
            if (busy) {
                sinceNanos = now;
            }
            if (now - progressNanos > busyMax.toNanos()) {
                return Optional.of(busyMax.toSeconds() + " s");
            }
            if (now - sinceNanos > max.toNanos()) {
                return Optional.of(max.toSeconds() + " s");
            }
            if (reached > furthest) {
                furthest = reached;
                repeats = 0;
            } else if (reached > 0) {
                repeats++;
            }
            return repeats > REPEATS_MAX
                    ? Optional.of(repeats + " tries that got no further than " + furthest)
                    : Optional.empty();
        }
    }

    private static boolean isLasting(Status status) {
        return switch (status.getCode()) {
            case PERMISSION_DENIED, UNAUTHENTICATED, UNIMPLEMENTED, INVALID_ARGUMENT -> true;
            default -> false;
        };
    }

    private void sleep(Duration pause) throws IOException {
        try {
            pauses.pause(pause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}

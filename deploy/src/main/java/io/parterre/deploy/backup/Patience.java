package io.parterre.deploy.backup;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Retries a call while a range moves, is split or merged, elects a leader or is busy. Each of these
 * ends within seconds; longer trouble is for the operator. The time since an attempt last made
 * progress counts; a node may be busy for longer. Thread-safe; calls sleep.
 */
final class Patience {
    private static final String NOT_LED = "nobody leads it";
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    /** Factor by which a node may be busy longer. */
    private static final int BUSY_TIMES = 12;

    /** Most successive attempts that make progress without getting further than an earlier one. */
    private static final int REPEATS_MAX = 10;

    private final Duration max;
    private final Duration busyMax;
    private final LongSupplier nanos;
    private final Pauses pauses;

    /**
     * Creates a patience.
     *
     * @param max how long one call may fail without progress before it is given up; twelve times as
     *     long while its node is busy
     */
    Patience(Duration max) {
        this(max, System::nanoTime, pause -> Thread.sleep(pause.toMillis()));
    }

    /** Creates a patience with another clock. */
    Patience(Duration max, LongSupplier nanos, Pauses pauses) {
        this.max = max;
        this.busyMax = max.multipliedBy(BUSY_TIMES);
        this.nanos = nanos;
        this.pauses = pauses;
    }

    /** Sleeps; replaced in tests. */
    @FunctionalInterface
    interface Pauses {
        void pause(Duration pause) throws InterruptedException;
    }

    /** Receives the progress of an attempt. */
    @FunctionalInterface
    interface Progress {
        /** Notes that the attempt has received this much, counted from its beginning. */
        void at(long count);
    }

    /** One attempt. */
    interface Try<T> {
        /** Returns the result; empty if it must be retried. */
        Optional<T> make(Progress progress) throws IOException;
    }

    /**
     * Returns the result of the first attempt that has one.
     *
     * @param what description of the call, for operators
     * @throws BackupException if no attempt had a result in time, or one was refused permanently
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

    /** How long the attempts of one call have made no progress. */
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

        /**
         * Returns, after an attempt without result, the limit that was exceeded; empty if the call
         * may be retried.
         */
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

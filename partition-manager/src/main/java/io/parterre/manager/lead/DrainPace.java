package io.parterre.manager.lead;

import io.parterre.manager.plan.view.Leftover;
import java.time.Duration;
import java.util.Optional;

/**
 * How fast a node gets empty.
 *
 * @param bytesPerSecond that went so far; 0: sizes are not known
 * @param secondsToGo until it is empty at that speed, at least 1
 */
public record DrainPace(long bytesPerSecond, long secondsToGo) {
    /**
     * By what has gone, in bytes where they are known: a replica of many bytes takes longer than
     * one of few. Empty while none has gone.
     */
    static Optional<DrainPace> of(Leftover start, Leftover left, Duration took) {
        int replicas = start.replicas() - left.replicas();
        long bytes = start.bytes() - left.bytes();
        long millis = took.toMillis();
        if (replicas <= 0 || millis <= 0) {
            return Optional.empty();
        }
        double bytesPerMilli = (double) Math.max(0, bytes) / millis;
        double millisToGo =
                bytesPerMilli > 0 && left.bytes() > 0
                        ? left.bytes() / bytesPerMilli
                        : (double) millis * left.replicas() / replicas;
        return Optional.of(
                new DrainPace(
                        (long) (bytesPerMilli * 1_000), Math.max(1, (long) (millisToGo / 1_000))));
    }
}

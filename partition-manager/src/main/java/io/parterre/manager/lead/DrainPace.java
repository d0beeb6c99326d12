package io.parterre.manager.lead;

import io.parterre.manager.plan.view.Leftover;
import java.time.Duration;
import java.util.Optional;

/**
 * The speed at which a node is drained.
 *
 * @param bytesPerSecond mean speed so far; 0 if sizes are not known
 * @param secondsToGo estimated time until the node is empty, at least 1
 */
public record DrainPace(long bytesPerSecond, long secondsToGo) {
    /**
     * Estimates the pace from the bytes that are gone, or from the replicas if sizes are not known:
     * a large replica takes longer than a small one. Empty while no replica is gone.
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

package io.parterre.frontend.observe;

import io.parterre.frontend.config.Problems;
import java.time.Duration;

/**
 * Configuration of the log of slow requests.
 *
 * @param threshold time from the head of a request to the end of its answer from which the request
 *     is slow; zero: no request is slow
 * @param linesPerMinuteMax most lines a minute; further requests are only counted
 */
public record SlowRequestsConfig(Duration threshold, int linesPerMinuteMax) {
    // Declared before the default, which is checked against it.
    private static final Duration THRESHOLD_MAX = Duration.ofHours(1);

    public static final SlowRequestsConfig DEFAULT =
            new SlowRequestsConfig(Duration.ofSeconds(3), 60);

    public SlowRequestsConfig {
        new Problems()
                .check(
                        !threshold.isNegative() && threshold.compareTo(THRESHOLD_MAX) <= 0,
                        "threshold",
                        threshold,
                        "0s..1h")
                .range("linesPerMinuteMax", linesPerMinuteMax, 1, 100_000)
                .refuseIfAny();
    }

    boolean isOff() {
        return threshold.isZero();
    }
}

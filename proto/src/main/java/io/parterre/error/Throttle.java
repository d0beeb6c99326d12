package io.parterre.error;

import java.time.Duration;

/**
 * Details of a refusal as busy, beside its code.
 *
 * @param retryAfter pause before a retry
 */
public record Throttle(BusyReason reason, Duration retryAfter) {
    public Throttle {
        if (retryAfter.isNegative()) {
            throw new IllegalArgumentException(
                    "retryAfter: " + retryAfter + " (expected: not negative)");
        }
    }
}

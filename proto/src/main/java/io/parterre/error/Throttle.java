package io.parterre.error;

import java.time.Duration;

/**
 * What a refusal as busy tells beside its code.
 *
 * @param retryAfter after which another try may do better
 */
public record Throttle(BusyReason reason, Duration retryAfter) {
    public Throttle {
        if (retryAfter.isNegative()) {
            throw new IllegalArgumentException(
                    "retryAfter: " + retryAfter + " (expected: not negative)");
        }
    }
}

package io.parterre.error;

import io.parterre.check.Require;
import java.time.Duration;

/**
 * Details of a refusal as busy, beside its code.
 *
 * @param retryAfter pause before a retry
 */
public record Throttle(BusyReason reason, Duration retryAfter) {
    public Throttle {
        Require.notNegative("retryAfter", retryAfter);
    }
}

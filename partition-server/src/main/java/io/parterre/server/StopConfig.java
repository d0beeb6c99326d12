package io.parterre.server;

import java.time.Duration;

/**
 * How a partition server stops. Immutable.
 *
 * @param permit whether the server asks for the disruption permit before it stops
 * @param permitTimeout time for which the server waits for the permit; then the server stops
 *     without it
 * @param permitFor time for which the server may be away before managers replace it
 */
public record StopConfig(Permit permit, Duration permitTimeout, Duration permitFor) {
    /** Whether a stop waits for the disruption permit. */
    public enum Permit {
        NONE,
        WAIT
    }

    private static final Duration TIMEOUT_MAX = Duration.ofHours(1);
    private static final Duration PERMIT_MIN = Duration.ofSeconds(1);

    /** Longest time that a manager grants. */
    private static final Duration PERMIT_MAX = Duration.ofHours(24);

    public static final StopConfig DEFAULT =
            new StopConfig(Permit.NONE, Duration.ofMinutes(1), Duration.ofMinutes(10));

    public StopConfig {
        if (permitTimeout.isNegative()
                || permitTimeout.isZero()
                || permitTimeout.compareTo(TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException(
                    "permitTimeout: " + permitTimeout + " (expected: above 0, at most 1h)");
        }
        if (permitFor.compareTo(PERMIT_MIN) < 0 || permitFor.compareTo(PERMIT_MAX) > 0) {
            throw new IllegalArgumentException("permitFor: " + permitFor + " (expected: 1s..24h)");
        }
    }

    /** Returns the settings of a node without others, to which nobody could grant the permit. */
    public StopConfig ofOneNode() {
        return new StopConfig(Permit.NONE, permitTimeout, permitFor);
    }

    /** Returns how long a stop may wait before leadership is handed over. */
    public Duration waitMax() {
        return permit == Permit.WAIT ? permitTimeout : Duration.ZERO;
    }
}

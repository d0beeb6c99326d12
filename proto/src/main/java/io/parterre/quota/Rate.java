package io.parterre.quota;

/**
 * Rate of a quota. Immutable.
 *
 * @param perSecond sustained rate
 * @param burst amount that may be used at once after a pause
 */
public record Rate(double perSecond, double burst) {
    public Rate {
        if (!(perSecond > 0) || !(burst >= 1)) {
            throw new IllegalArgumentException(
                    "rate: "
                            + perSecond
                            + " per second, burst "
                            + burst
                            + " (expected: above 0, at least 1)");
        }
    }

    /** Returns a rate whose burst is its amount in so many seconds, and at least one. */
    public static Rate of(double perSecond, double burstSeconds) {
        return new Rate(perSecond, Math.max(1, perSecond * burstSeconds));
    }
}

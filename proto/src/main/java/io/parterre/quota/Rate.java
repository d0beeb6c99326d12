package io.parterre.quota;

/**
 * How much may be asked.
 *
 * @param perSecond in the long run
 * @param burst at once, after a pause
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

    /** A rate whose burst is what it gives in so many seconds, and never less than one. */
    public static Rate of(double perSecond, double burstSeconds) {
        return new Rate(perSecond, Math.max(1, perSecond * burstSeconds));
    }
}

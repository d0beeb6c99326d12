package io.parterre.server.load;

import java.time.Duration;

/**
 * A rate whose past loses half of its weight in {@link #HALF_LIFE}. Time without observation has no
 * weight, so a steady rate has its true value from the first second on. Immutable.
 *
 * @param weighted sum of the observed rates, each multiplied by its weight
 * @param weight weight of all that was observed; below 1, which it approaches
 */
public record DecayedRate(double weighted, double weight) {
    /**
     * Short enough for a burst to show within a second or two, long enough for a pause between two
     * bursts not to hide them.
     */
    public static final Duration HALF_LIFE = Duration.ofSeconds(5);

    private static final double WEIGHT_OF_A_SECOND = 1 - Math.pow(0.5, 1e9 / HALF_LIFE.toNanos());

    /** The rate before any observation. */
    public static final DecayedRate NONE = new DecayedRate(0, 0);

    /**
     * Returns the rate after another observation.
     *
     * @param count number of events in that time
     * @param elapsed duration of the observation; nothing changes if it is zero
     */
    public DecayedRate after(long count, Duration elapsed) {
        double seconds = elapsed.toNanos() / 1e9;
        if (seconds <= 0) {
            return this;
        }
        double kept = Math.pow(0.5, seconds / (HALF_LIFE.toNanos() / 1e9));
        return new DecayedRate(
                weighted * kept + count / seconds * (1 - kept), weight * kept + (1 - kept));
    }

    /**
     * Returns the rate. Less than a second of observation counts as a whole second. Otherwise the
     * requests that piled up while a range was split or merged would show as a multiple of the real
     * load.
     */
    public double perSecond() {
        return weighted / Math.max(weight, WEIGHT_OF_A_SECOND);
    }
}

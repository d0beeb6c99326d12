package io.parterre.server.load;

import java.time.Duration;

/**
 * A rate in which what was counted fades: half of its weight in {@link #HALF_LIFE}. What has not
 * been observed has no weight, so a steady rate shows as what it is from the first second on.
 *
 * @param weighted rates observed, each by its weight, added up
 * @param weight of all that was observed; below 1, to which it grows
 */
public record DecayedRate(double weighted, double weight) {
    /** A burst shows within a second or two, and a pause between two bursts does not hide them. */
    public static final Duration HALF_LIFE = Duration.ofSeconds(5);

    private static final double WEIGHT_OF_A_SECOND = 1 - Math.pow(0.5, 1e9 / HALF_LIFE.toNanos());

    /** Nothing observed. */
    public static final DecayedRate NONE = new DecayedRate(0, 0);

    /**
     * With what was counted since.
     *
     * @param elapsed over which; nothing changes if it is none
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
     * The rate. What was observed for less than a second counts as if it were all of one: what
     * piled up while a range was split or merged would be a multiple of what is asked of it.
     */
    public double perSecond() {
        return weighted / Math.max(weight, WEIGHT_OF_A_SECOND);
    }
}

package io.parterre.frontend.route;

import java.time.Duration;

/**
 * How patient the router is.
 *
 * @param delayMin pause after the first setback that calls for one; doubles with each
 * @param delayMax longest pause
 * @param scoutDelayMax longest pause, within its first two seconds, of one call of each range that
 *     nobody leads; the others are woken by the answer that this call gets, so that the cost does
 *     not grow with the calls
 * @param hopsMax attempts without a pause after which even a good hint is followed only after one:
 *     two nodes may point at each other
 * @param busyRetriesMax how often a busy node is asked again
 * @param busyPatience longest pause asked for by a busy node that is worth waiting here; a longer
 *     one is the client's to wait
 */
public record RetryPolicy(
        Duration delayMin,
        Duration delayMax,
        Duration scoutDelayMax,
        int hopsMax,
        int busyRetriesMax,
        Duration busyPatience) {
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(
                    Duration.ofMillis(10),
                    Duration.ofMillis(250),
                    Duration.ofMillis(25),
                    3,
                    3,
                    Duration.ofMillis(20));

    private static final Duration SCOUT_TIME = Duration.ofSeconds(2);

    public RetryPolicy {
        if (delayMin.isNegative() || delayMin.isZero() || delayMax.compareTo(delayMin) < 0) {
            throw new IllegalArgumentException(
                    "delayMin: " + delayMin + " (expected: above 0, at most " + delayMax + ")");
        }
        if (scoutDelayMax.isNegative() || scoutDelayMax.isZero()) {
            throw new IllegalArgumentException(
                    "scoutDelayMax: " + scoutDelayMax + " (expected: above 0)");
        }
        if (hopsMax < 0 || busyRetriesMax < 0 || busyPatience.isNegative()) {
            throw new IllegalArgumentException(
                    "hopsMax, busyRetriesMax, busyPatience: below 0 (expected: at least 0)");
        }
    }

    /**
     * The pause of a call that asks for a range's leader on behalf of all others. Elections take a
     * fraction of a second; a range that has no leader for longer may have lost its majority.
     *
     * @param delay pause of any other call
     * @param age time since the call began
     */
    public Duration scoutDelay(Duration delay, Duration age) {
        return age.compareTo(SCOUT_TIME) < 0 && delay.compareTo(scoutDelayMax) > 0
                ? scoutDelayMax
                : delay;
    }

    /**
     * The pause after so many setbacks.
     *
     * @param jitter 0 to 1: where between half of the pause and all of it
     */
    Duration delay(int setbacks, double jitter) {
        int doublings = Math.min(Math.max(setbacks - 1, 0), 20);
        long nanos = Math.min(delayMin.toNanos() << doublings, delayMax.toNanos());
        return Duration.ofNanos((long) (nanos * (0.5 + 0.5 * jitter)));
    }
}

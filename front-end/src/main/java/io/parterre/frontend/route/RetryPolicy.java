package io.parterre.frontend.route;

import java.time.Duration;

/**
 * Limits of the router's retries and backoffs.
 *
 * @param delayMin backoff after the first setback that needs one; doubles with each further one
 * @param delayMax longest backoff
 * @param scoutDelayMax longest backoff, within its first two seconds, of one call for each range
 *     without a known leader; the answer to this call wakes the others, so that the cost does not
 *     grow with the number of calls
 * @param hopsMax attempts without a pause, after which even a good hint is followed only after a
 *     backoff, because two nodes may name each other
 * @param busyRetriesMax how often a busy node is asked again
 * @param busyPatience longest backoff requested by a busy node that the front end itself waits; a
 *     longer one is left to the client
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
     * Returns the backoff of a call that asks for a range's leader on behalf of all others.
     * Elections take a fraction of a second; a range that has no leader for longer may have lost
     * its majority.
     *
     * @param delay backoff of any other call
     * @param age time since the call began
     */
    public Duration scoutDelay(Duration delay, Duration age) {
        return age.compareTo(SCOUT_TIME) < 0 && delay.compareTo(scoutDelayMax) > 0
                ? scoutDelayMax
                : delay;
    }

    /**
     * Returns the backoff after this number of setbacks.
     *
     * @param jitter 0 to 1: from half of the backoff to all of it
     */
    Duration delay(int setbacks, double jitter) {
        int doublings = Math.min(Math.max(setbacks - 1, 0), 20);
        long nanos = Math.min(delayMin.toNanos() << doublings, delayMax.toNanos());
        return Duration.ofNanos((long) (nanos * (0.5 + 0.5 * jitter)));
    }
}

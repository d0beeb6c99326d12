package io.parterre.server.apply;

import io.parterre.entity.Ticks;

/**
 * How long outcomes are kept, in log time and number. Replicas of a range must agree on them at
 * every log position, so changing one takes a new version of the log entry that says from where on
 * it holds.
 *
 * @param outcomeTicks an outcome is kept this long: well beyond the deadline of any request
 * @param senderTicks a sender not heard of for this long is silent: well beyond the time a message
 *     can be under way
 * @param graceTicks what is settled of a silent sender is kept this long after an entry has found
 *     it silent: well beyond the time for which a command is sent again. Log time may have leapt
 *     before that entry, and the sender have been heard of a moment ago
 * @param outcomesMax outcomes kept at most; the oldest go first
 * @param sendersMax senders kept besides those heard of within {@code outcomeTicks} and {@code
 *     graceTicks} after; the longest silent go first
 */
record OutcomeLimits(
        long outcomeTicks, long senderTicks, long graceTicks, int outcomesMax, int sendersMax) {
    OutcomeLimits {
        if (senderTicks < outcomeTicks) {
            throw new IllegalArgumentException(
                    "senderTicks: " + senderTicks + " (expected: >= " + outcomeTicks + ")");
        }
    }

    static final OutcomeLimits CURRENT =
            new OutcomeLimits(
                    60 * Ticks.PER_SECOND,
                    3_600 * Ticks.PER_SECOND,
                    600 * Ticks.PER_SECOND,
                    20_000,
                    10_000);
}

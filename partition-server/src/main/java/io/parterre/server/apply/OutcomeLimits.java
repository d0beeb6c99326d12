package io.parterre.server.apply;

import io.parterre.entity.Ticks;

/**
 * Limits on how long outcomes are kept, in log time and in number. Replicas of a range must agree
 * on the limits at every log position. So a change of a limit needs a new version of the log entry,
 * which says from where on the limit holds.
 *
 * @param outcomeTicks time for which an outcome is kept, well beyond the deadline of any request
 * @param senderTicks time after which a sender that was not heard of is silent, well beyond the
 *     time for which a message can be in flight
 * @param graceTicks time for which the floor of a silent sender is kept after an entry has found
 *     the sender silent, well beyond the time for which a command is retried. Log time may have
 *     leapt before that entry, so the sender may have been heard of a moment earlier
 * @param outcomesMax maximum number of outcomes; the oldest go first
 * @param sendersMax maximum number of senders besides those heard of within {@code outcomeTicks}
 *     and {@code graceTicks} after; the longest silent go first
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

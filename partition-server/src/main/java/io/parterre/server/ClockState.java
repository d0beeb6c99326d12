package io.parterre.server;

import io.parterre.server.clock.ClockTrust;
import java.time.Duration;

/**
 * The managers' latest judgement of the node's clock. Immutable and pure: {@link ClockWatch} acts
 * on it.
 *
 * @param ahead time by which the clock is so far ahead of most clocks that the node leads nothing;
 *     zero: the node may lead
 * @param told judgement in the latest answer
 */
record ClockState(Duration ahead, ClockTrust told) {
    /** Age after which an answer counts for nothing, because the clock may have been set since. */
    static final Duration TOLD_FOR = Duration.ofMinutes(1);

    /** State of a node that has had no answer. */
    static final ClockState RIGHT = new ClockState(Duration.ZERO, ClockTrust.UNJUDGED);

    /**
     * Returns the state after a manager's answer.
     *
     * @param judged whether that manager knew enough clocks; if not, the earlier value of {@code
     *     ahead} holds
     * @param agrees whether the clock is neither ahead nor behind
     */
    ClockState told(boolean judged, Duration nowAhead, boolean agrees) {
        if (!judged) {
            return new ClockState(ahead, ClockTrust.UNJUDGED);
        }
        return new ClockState(nowAhead, agrees ? ClockTrust.AGREES : ClockTrust.DIFFERS);
    }

    boolean mayLead() {
        return ahead.isZero();
    }

    /**
     * Returns whether the clock agrees with most clocks, as far as known now.
     *
     * @param age age of the latest answer
     */
    ClockTrust trust(Duration age) {
        if (!mayLead() || told == ClockTrust.DIFFERS) {
            return ClockTrust.DIFFERS;
        }
        return age.compareTo(TOLD_FOR) > 0 ? ClockTrust.UNJUDGED : told;
    }
}

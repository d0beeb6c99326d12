package io.parterre.server;

import io.parterre.server.clock.ClockTrust;
import java.time.Duration;

/**
 * What managers have told the node of its clock. Pure: {@link ClockWatch} acts on it.
 *
 * @param ahead so far ahead of what most clocks say that the node leads nothing; zero: it may lead
 * @param told of the clock, by the latest answer
 */
record ClockState(Duration ahead, ClockTrust told) {
    /** What was told longer ago says nothing of a clock that may have been set since. */
    static final Duration TOLD_FOR = Duration.ofMinutes(1);

    /** Of a node that was told nothing. */
    static final ClockState RIGHT = new ClockState(Duration.ZERO, ClockTrust.UNJUDGED);

    /**
     * With a manager's answer.
     *
     * @param judged whether that manager knew enough clocks; if not, what was told before of how
     *     far it is ahead holds
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
     * What is known of the clock now.
     *
     * @param age of the latest answer
     */
    ClockTrust trust(Duration age) {
        if (!mayLead() || told == ClockTrust.DIFFERS) {
            return ClockTrust.DIFFERS;
        }
        return age.compareTo(TOLD_FOR) > 0 ? ClockTrust.UNJUDGED : told;
    }
}

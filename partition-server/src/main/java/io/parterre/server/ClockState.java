package io.parterre.server;

import java.time.Duration;

/**
 * What managers have told the node of its clock. Pure: {@link ClockWatch} acts on it.
 *
 * @param ahead so far ahead of what most clocks say that the node leads nothing; zero: it may lead
 */
record ClockState(Duration ahead) {
    /** Of a node that was told nothing. */
    static final ClockState RIGHT = new ClockState(Duration.ZERO);

    /**
     * With a manager's answer.
     *
     * @param judged whether that manager knew enough clocks; if not, what was told before holds
     */
    ClockState told(boolean judged, Duration nowAhead) {
        return judged ? new ClockState(nowAhead) : this;
    }

    boolean mayLead() {
        return ahead.isZero();
    }
}

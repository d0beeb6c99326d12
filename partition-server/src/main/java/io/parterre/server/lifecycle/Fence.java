package io.parterre.server.lifecycle;

/**
 * Whether a replica may serve, though another range may have taken the place of its own. A group
 * with other members elects nobody as long as its majority does not vote (its members' votes are
 * quarantined); one that has no other member elects itself whatever happened meanwhile, so that
 * what it serves waits.
 */
public enum Fence {
    OPEN,
    /** Until a manager that leads has said what became of the range. */
    UNTIL_ANSWERED,
    /** The range was given up, for good: what goes on in its place has another id. */
    GIVEN_UP;

    /**
     * After an answer.
     *
     * @param givenUp whether it names the range as one that was given up
     * @param counts whether it is of a manager that certainly leads and was asked about the range;
     *     any other may not know yet, or has no reason to name it
     */
    public Fence after(boolean givenUp, boolean counts) {
        if (this == GIVEN_UP || givenUp) {
            return GIVEN_UP;
        }
        return counts ? OPEN : this;
    }
}

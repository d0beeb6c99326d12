package io.parterre.server.lifecycle;

/**
 * What a node learns about a range that it found on its disk: whether another range may have taken
 * its place while the node was away, and whether the node still has what it acknowledged. Events of
 * {@link Fence} and {@link VoteRight}.
 */
public enum ConfirmationEvent {
    /** A start has found the replica, and the range has other members. */
    FOUND,
    /**
     * The replica is the range's only member. The node has found it, or has made it from a replica
     * that it found.
     */
    FOUND_ALONE,
    /** The replica has joined its group, and the group has other members. */
    JOINED_OTHERS,
    /** Every other member has called in the group, and the wait for the managers is over. */
    ALL_CALLED,
    /**
     * A manager has answered whose leadership is not confirmed, or which was not asked about this
     * range. It may not know yet what became of the range, or has no reason to name it.
     */
    UNCONFIRMED,
    /**
     * A manager whose leadership is confirmed was asked about the range, and names it neither as
     * regressed nor as given up.
     */
    CONFIRMED,
    /** A manager knows of acknowledged entries at positions that this node's log does not reach. */
    REGRESSED,
    /**
     * A manager names the range as given up. Nothing is given up twice, so the answer of any
     * manager counts.
     */
    GIVEN_UP;

    /**
     * Returns the event that a manager's answer makes for a range.
     *
     * @param givenUp whether the answer names the range as given up
     * @param regressed whether the answer names the range as one whose log regressed on this node
     * @param confirms whether the manager's leadership is confirmed and it was asked about the
     *     range
     */
    public static ConfirmationEvent answered(boolean givenUp, boolean regressed, boolean confirms) {
        if (givenUp) {
            return GIVEN_UP;
        }
        if (regressed) {
            return REGRESSED;
        }
        return confirms ? CONFIRMED : UNCONFIRMED;
    }
}

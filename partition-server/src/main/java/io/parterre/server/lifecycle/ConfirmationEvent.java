package io.parterre.server.lifecycle;

/**
 * What a node learns of a range that it found on its disk: whether another range may have taken its
 * place while the node was away, and whether the node still has what it acknowledged. Events of
 * {@link Fence} and {@link VoteRight}.
 */
public enum ConfirmationEvent {
    /** A start has found the replica, and the range has other members. */
    FOUND,
    /** The node has found the replica, or made it of one that it found, as the only member. */
    FOUND_ALONE,
    /** The replica has joined its group, and the group has other members. */
    JOINED_OTHERS,
    /** Every other member has called in the group, and the wait for the managers is over. */
    ALL_CALLED,
    /**
     * A manager has answered that does not certainly lead, or was not asked about this range: it
     * may not know yet, or has no reason to name it.
     */
    UNCONFIRMED,
    /** A manager that certainly leads was asked about the range, and names it for nothing below. */
    CONFIRMED,
    /** A manager knows of acknowledged entries whose place this node's log does not reach. */
    REGRESSED,
    /** A manager names the range as given up. Nothing is given up twice: any manager counts. */
    GIVEN_UP;

    /**
     * What a manager's answer says of a range.
     *
     * @param givenUp whether it names the range as given up
     * @param regressed whether it names the range as one whose log regressed here
     * @param confirms whether the manager certainly leads and was asked about the range
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

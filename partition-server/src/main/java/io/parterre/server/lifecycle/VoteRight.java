package io.parterre.server.lifecycle;

/**
 * Whether a node may vote in a Raft group: the vote quarantine. While the node was away, the range
 * may have been taken for lost and recovered elsewhere as another range. Two old members that
 * return together would be a majority of the old group, and would serve a range that no manager
 * counts on any more. So a node votes in a group that it found on its disk only once one of two
 * things has happened: a manager has confirmed the range; or every other member has called in the
 * group while no manager answered for a while. These members include the one that would have had to
 * leave the group first. A member that lost acknowledged entries waits for a manager in any case,
 * because together with a member that never had the entries it would be a majority that forgets
 * them.
 *
 * <pre>
 *                    FOUND        FOUND_ALONE        JOINED_OTHERS      ALL_CALLED
 * VOTES              UNCONFIRMED  VOTES_UNCONFIRMED  VOTES              VOTES
 * VOTES_UNCONFIRMED  UNCONFIRMED  VOTES_UNCONFIRMED  VOTES_UNCONFIRMED  VOTES_UNCONFIRMED
 * VOTES_CALLED       UNCONFIRMED  VOTES_UNCONFIRMED  VOTES_CALLED       VOTES_CALLED
 * UNCONFIRMED        UNCONFIRMED  UNCONFIRMED        UNCONFIRMED        VOTES_CALLED
 * REGRESSED          REGRESSED    REGRESSED          REGRESSED          REGRESSED
 * GIVEN_UP           UNCONFIRMED  UNCONFIRMED        GIVEN_UP           VOTES
 *
 *                    UNCONFIRMED        CONFIRMED  REGRESSED          GIVEN_UP
 * VOTES              VOTES              VOTES      VOTES              VOTES
 * VOTES_UNCONFIRMED  VOTES_UNCONFIRMED  VOTES      VOTES_UNCONFIRMED  VOTES
 * VOTES_CALLED       VOTES_CALLED       VOTES      REGRESSED          VOTES
 * UNCONFIRMED        UNCONFIRMED        VOTES      REGRESSED          GIVEN_UP
 * REGRESSED          REGRESSED          VOTES      REGRESSED          GIVEN_UP
 * GIVEN_UP           GIVEN_UP           VOTES      REGRESSED          GIVEN_UP
 * </pre>
 */
public enum VoteRight {
    /** The node votes. State of a group that the node did not find but joined since its start. */
    VOTES,
    /** The node votes, and asks a manager. Nobody else depends on the vote of an only member. */
    VOTES_UNCONFIRMED,
    /**
     * The node votes because all members have called, until a manager knows that it lost entries.
     */
    VOTES_CALLED,
    /**
     * The node does not vote until a manager has confirmed the range or all members have called.
     */
    UNCONFIRMED,
    /** The node does not vote until a manager has confirmed the range, even if all members call. */
    REGRESSED,
    /** The node does not vote; the range is known to be given up. */
    GIVEN_UP;

    private static final Transitions<VoteRight, ConfirmationEvent> TABLE = rights();

    /** Whether the node may vote. */
    public boolean mayVote() {
        return this == VOTES || this == VOTES_UNCONFIRMED || this == VOTES_CALLED;
    }

    /** Whether the node asks a manager whose leadership is confirmed about the range. */
    public boolean asks() {
        return this != VOTES && this != GIVEN_UP;
    }

    /** Returns the state after the event. */
    public VoteRight on(ConfirmationEvent event) {
        return TABLE.next(this, event);
    }

    private static Transitions<VoteRight, ConfirmationEvent> rights() {
        Transitions<VoteRight, ConfirmationEvent> table =
                new Transitions<>(VoteRight.class, ConfirmationEvent.class);
        for (VoteRight right : values()) {
            boolean lost = right == REGRESSED;
            table.to(right, ConfirmationEvent.FOUND, lost ? REGRESSED : UNCONFIRMED)
                    .to(right, ConfirmationEvent.JOINED_OTHERS, right)
                    .to(right, ConfirmationEvent.UNCONFIRMED, right)
                    .to(right, ConfirmationEvent.CONFIRMED, VOTES)
                    .to(
                            right,
                            ConfirmationEvent.REGRESSED,
                            right == VOTES || right == VOTES_UNCONFIRMED ? right : REGRESSED)
                    .to(right, ConfirmationEvent.GIVEN_UP, right.mayVote() ? VOTES : GIVEN_UP);
        }
        return table.to(VOTES, ConfirmationEvent.FOUND_ALONE, VOTES_UNCONFIRMED)
                .to(VOTES_UNCONFIRMED, ConfirmationEvent.FOUND_ALONE, VOTES_UNCONFIRMED)
                .to(VOTES_CALLED, ConfirmationEvent.FOUND_ALONE, VOTES_UNCONFIRMED)
                .to(UNCONFIRMED, ConfirmationEvent.FOUND_ALONE, UNCONFIRMED)
                .to(REGRESSED, ConfirmationEvent.FOUND_ALONE, REGRESSED)
                .to(GIVEN_UP, ConfirmationEvent.FOUND_ALONE, UNCONFIRMED)
                .to(VOTES, ConfirmationEvent.ALL_CALLED, VOTES)
                .to(VOTES_UNCONFIRMED, ConfirmationEvent.ALL_CALLED, VOTES_UNCONFIRMED)
                .to(VOTES_CALLED, ConfirmationEvent.ALL_CALLED, VOTES_CALLED)
                .to(UNCONFIRMED, ConfirmationEvent.ALL_CALLED, VOTES_CALLED)
                .to(REGRESSED, ConfirmationEvent.ALL_CALLED, REGRESSED)
                .to(GIVEN_UP, ConfirmationEvent.ALL_CALLED, VOTES);
    }

    static Transitions<VoteRight, ConfirmationEvent> table() {
        return TABLE;
    }
}

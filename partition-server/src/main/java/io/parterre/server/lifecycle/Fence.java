package io.parterre.server.lifecycle;

/**
 * Whether a replica may serve, although another range may have taken the place of its own. A group
 * with other members elects nobody as long as its majority does not vote (see {@link VoteRight}). A
 * group without other members always elects its only member, so the fence holds back what that
 * member serves.
 *
 * <pre>
 *                 FOUND           FOUND_ALONE     JOINED_OTHERS  ALL_CALLED
 * OPEN            UNTIL_ANSWERED  UNTIL_ANSWERED  OPEN           OPEN
 * UNTIL_ANSWERED  UNTIL_ANSWERED  UNTIL_ANSWERED  OPEN           UNTIL_ANSWERED
 * GIVEN_UP        GIVEN_UP        GIVEN_UP        GIVEN_UP       GIVEN_UP
 *
 *                 UNCONFIRMED     CONFIRMED  REGRESSED       GIVEN_UP
 * OPEN            OPEN            OPEN       OPEN            GIVEN_UP
 * UNTIL_ANSWERED  UNTIL_ANSWERED  OPEN       UNTIL_ANSWERED  GIVEN_UP
 * GIVEN_UP        GIVEN_UP        GIVEN_UP   GIVEN_UP        GIVEN_UP
 * </pre>
 */
public enum Fence {
    OPEN,
    /**
     * The replica waits until a manager whose leadership is confirmed has said what became of the
     * range.
     */
    UNTIL_ANSWERED,
    /** The range was given up for good; the range in its place has another id. */
    GIVEN_UP;

    private static final Transitions<Fence, ConfirmationEvent> TABLE = fences();

    /** Returns the state after the event. */
    public Fence on(ConfirmationEvent event) {
        return TABLE.next(this, event);
    }

    private static Transitions<Fence, ConfirmationEvent> fences() {
        Transitions<Fence, ConfirmationEvent> table =
                new Transitions<>(Fence.class, ConfirmationEvent.class);
        for (Fence fence : values()) {
            Fence closed = fence == GIVEN_UP ? GIVEN_UP : UNTIL_ANSWERED;
            Fence opened = fence == GIVEN_UP ? GIVEN_UP : OPEN;
            table.to(fence, ConfirmationEvent.FOUND, closed)
                    .to(fence, ConfirmationEvent.FOUND_ALONE, closed)
                    .to(fence, ConfirmationEvent.JOINED_OTHERS, opened)
                    .to(fence, ConfirmationEvent.ALL_CALLED, fence)
                    .to(fence, ConfirmationEvent.UNCONFIRMED, fence)
                    .to(fence, ConfirmationEvent.CONFIRMED, opened)
                    .to(fence, ConfirmationEvent.REGRESSED, fence)
                    .to(fence, ConfirmationEvent.GIVEN_UP, GIVEN_UP);
        }
        return table;
    }

    static Transitions<Fence, ConfirmationEvent> table() {
        return TABLE;
    }
}

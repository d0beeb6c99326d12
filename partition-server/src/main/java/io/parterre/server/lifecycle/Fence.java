package io.parterre.server.lifecycle;

/**
 * Whether a replica may serve, though another range may have taken the place of its own. A group
 * with other members elects nobody as long as its majority does not vote (see {@link VoteRight});
 * one that has no other member elects itself whatever happened meanwhile, so that what it serves
 * waits.
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
    /** Until a manager that leads has said what became of the range. */
    UNTIL_ANSWERED,
    /** The range was given up, for good: what goes on in its place has another id. */
    GIVEN_UP;

    private static final Transitions<Fence, ConfirmationEvent> TABLE = fences();

    /** The state after the event. */
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

package io.parterre.server.lifecycle;

/**
 * One membership of a replica in its Raft group, from its start until the group is closed or
 * removed. A replica that joins again begins another one.
 *
 * <pre>
 *             STARTED   END_ASKED  STOPPED
 * STARTING    SERVING   ENDING     HALTED
 * SERVING     SERVING   ENDING     HALTED
 * HALTED      HALTED    ENDED      HALTED
 * ENDING      ENDING    ENDING     ENDED
 * ENDED       ENDED     ENDED      ENDED
 * </pre>
 */
public enum GroupLife {
    /** The group is not known to run yet. */
    STARTING,
    /** Log entries are applied. An end of the group that nobody asked for is a failure. */
    SERVING,
    /** Log entries are applied no more, as one could not be; nobody has asked for the end. */
    HALTED,
    /** The end was asked for; what was begun is applied. */
    ENDING,
    /** The end was asked for, and nothing is applied any more. */
    ENDED;

    /** What happens to a membership. */
    public enum Event {
        /** Ratis has started the group. */
        STARTED,
        /** The replica leaves the group, or the node closes. */
        END_ASKED,
        /** Nothing is applied any more. */
        STOPPED
    }

    private static final Transitions<GroupLife, Event> TABLE =
            new Transitions<>(GroupLife.class, Event.class)
                    .to(STARTING, Event.STARTED, SERVING)
                    .to(STARTING, Event.END_ASKED, ENDING)
                    .to(STARTING, Event.STOPPED, HALTED)
                    .to(SERVING, Event.STARTED, SERVING)
                    .to(SERVING, Event.END_ASKED, ENDING)
                    .to(SERVING, Event.STOPPED, HALTED)
                    .to(HALTED, Event.STARTED, HALTED)
                    .to(HALTED, Event.END_ASKED, ENDED)
                    .to(HALTED, Event.STOPPED, HALTED)
                    .to(ENDING, Event.STARTED, ENDING)
                    .to(ENDING, Event.END_ASKED, ENDING)
                    .to(ENDING, Event.STOPPED, ENDED)
                    .to(ENDED, Event.STARTED, ENDED)
                    .to(ENDED, Event.END_ASKED, ENDED)
                    .to(ENDED, Event.STOPPED, ENDED);

    /** The state after the event. */
    public GroupLife on(Event event) {
        return TABLE.next(this, event);
    }

    /** Whether nothing is applied any more: the rows fall behind what is committed. */
    public boolean hasStopped() {
        return this == HALTED || this == ENDED;
    }

    /** Whether the end was asked for: who waits for it waits for what is applied now. */
    public boolean isEnding() {
        return this == ENDING || this == ENDED;
    }

    static Transitions<GroupLife, Event> table() {
        return TABLE;
    }
}

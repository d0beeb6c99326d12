package io.parterre.server.lifecycle;

/**
 * One membership of a replica in its Raft group, from the start of the group until it is closed or
 * removed. A replica that joins again begins another membership.
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
    /** Log entries are applied. An end of the group without a request is a failure. */
    SERVING,
    /**
     * No log entries are applied any more, because one could not be applied; no end was requested.
     */
    HALTED,
    /** The end was requested; entries that were begun are still applied. */
    ENDING,
    /** The end was requested, and nothing is applied any more. */
    ENDED;

    /** What happens to a membership. */
    public enum Event {
        /** Ratis has started the group. */
        STARTED,
        /** The replica leaves the group, or the node closes. */
        END_ASKED,
        /** Applying has stopped for good. */
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

    /** Returns the state after the event. */
    public GroupLife on(Event event) {
        return TABLE.next(this, event);
    }

    /** Whether nothing is applied any more, so that the rows fall behind the commit index. */
    public boolean hasStopped() {
        return this == HALTED || this == ENDED;
    }

    /**
     * Whether the end was requested. To wait for the end is then to wait for the entry that is
     * being applied.
     */
    public boolean isEnding() {
        return this == ENDING || this == ENDED;
    }

    static Transitions<GroupLife, Event> table() {
        return TABLE;
    }
}

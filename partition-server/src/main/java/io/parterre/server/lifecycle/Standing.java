package io.parterre.server.lifecycle;

/**
 * Whether a replica can be trusted.
 *
 * <pre>
 *              DAMAGE_FOUND  QUARANTINED   RESUMED
 * SOUND        DAMAGED       QUARANTINED   SOUND
 * DAMAGED      DAMAGED       QUARANTINED   SOUND
 * QUARANTINED  QUARANTINED   QUARANTINED   SOUND
 * </pre>
 *
 * <p>A replica is rebuilt as another one, which is SOUND.
 */
public enum Standing {
    /** The replica serves and votes. */
    SOUND,
    /**
     * The replica is to be rebuilt from the other members. If a closed segment of its log is
     * damaged, it stays in its group until then.
     */
    DAMAGED,
    /** The replica is out of its group because of a log entry, until an operator resumes it. */
    QUARANTINED;

    /** A finding about a replica, or an action on it. */
    public enum Event {
        DAMAGE_FOUND,
        QUARANTINED,
        RESUMED
    }

    private static final Transitions<Standing, Event> TABLE =
            new Transitions<>(Standing.class, Event.class)
                    .to(SOUND, Event.DAMAGE_FOUND, DAMAGED)
                    .to(SOUND, Event.QUARANTINED, QUARANTINED)
                    .to(SOUND, Event.RESUMED, SOUND)
                    .to(DAMAGED, Event.DAMAGE_FOUND, DAMAGED)
                    .to(DAMAGED, Event.QUARANTINED, QUARANTINED)
                    .to(DAMAGED, Event.RESUMED, SOUND)
                    .to(QUARANTINED, Event.DAMAGE_FOUND, QUARANTINED)
                    .to(QUARANTINED, Event.QUARANTINED, QUARANTINED)
                    .to(QUARANTINED, Event.RESUMED, SOUND);

    /** Returns the state after the event. */
    public Standing on(Event event) {
        return TABLE.next(this, event);
    }

    static Transitions<Standing, Event> table() {
        return TABLE;
    }
}

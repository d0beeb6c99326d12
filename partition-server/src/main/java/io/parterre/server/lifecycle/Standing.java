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
    /** It serves and votes. */
    SOUND,
    /**
     * It is to be rebuilt from the other members. Damage in a log's closed segment leaves it in its
     * group until then.
     */
    DAMAGED,
    /** It is out of its group because of a log entry, until an operator resumes it. */
    QUARANTINED;

    /** What is found of a replica, or done about it. */
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

    /** The state after the event. */
    public Standing on(Event event) {
        return TABLE.next(this, event);
    }

    static Transitions<Standing, Event> table() {
        return TABLE;
    }
}

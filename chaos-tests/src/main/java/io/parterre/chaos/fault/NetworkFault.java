package io.parterre.chaos.fault;

import java.time.Duration;

/**
 * One thing done to the network of a cluster. Front ends and clients are always where the majority
 * is.
 *
 * @param pick which of several possible processes: modulo their number
 * @param writesBefore writes to be acknowledged before it happens
 * @param time from the fault to its end
 */
public record NetworkFault(Kind kind, int pick, int writesBefore, Duration time) {
    /** What is done. */
    public enum Kind {
        /** The server that leads hears nobody and is heard by nobody. */
        LEADER_ALONE,
        /** The same for any server. */
        SERVER_ALONE,
        /** The server that leads and the manager that leads hear each other, and nobody else. */
        LEADERS_TOGETHER,
        /** The server that leads hears nobody, and everybody hears it. */
        LEADER_DEAF,
        /** The server that leads hears everybody, and nobody hears it. */
        LEADER_MUTE,
        /** The server that leads and one other do not hear each other; all else is well. */
        LEADER_AND_FOLLOWER,
        /** Managers and servers do not hear each other. */
        ROLES_APART,
        /** The server that leads comes and goes, several times a second. */
        LEADER_FLAPPING,
        /**
         * Every server's packets take long, and some are lost; where the kernel cannot do that, as
         * {@link #LEADER_FLAPPING}.
         */
        SERVERS_SLOW
    }

    /** As logs tell it. */
    @Override
    public String toString() {
        return kind + " for " + time.toMillis() + "ms";
    }
}

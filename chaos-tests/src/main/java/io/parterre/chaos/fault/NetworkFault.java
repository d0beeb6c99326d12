package io.parterre.chaos.fault;

import java.time.Duration;

/**
 * One fault of a cluster's network. Front ends and clients are always on the side of the majority.
 *
 * @param pick selects one of several possible processes, modulo their number
 * @param writesBefore number of writes to be acknowledged before the fault
 * @param time time from the fault to its end
 */
public record NetworkFault(Kind kind, int pick, int writesBefore, Duration time) {
    /** Kinds of fault. */
    public enum Kind {
        /** The leading server is isolated in both directions. */
        LEADER_ALONE,
        /** Any one server is isolated in both directions. */
        SERVER_ALONE,
        /** The leading server and the leading manager hear only each other. */
        LEADERS_TOGETHER,
        /** The leading server receives nothing, but all others receive its packets. */
        LEADER_DEAF,
        /** The leading server receives everything, but no other process receives its packets. */
        LEADER_MUTE,
        /** The leading server and one other server do not hear each other; all other links work. */
        LEADER_AND_FOLLOWER,
        /** Managers and servers do not hear each other. */
        ROLES_APART,
        /** The leading server is disconnected and connected again, several times a second. */
        LEADER_FLAPPING,
        /**
         * Every server's packets are delayed, and some are lost. If the kernel cannot do this, the
         * same as {@link #LEADER_FLAPPING}.
         */
        SERVERS_SLOW
    }

    /** Returns the form for logs. */
    @Override
    public String toString() {
        return kind + " for " + time.toMillis() + "ms";
    }
}

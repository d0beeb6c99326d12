package io.parterre.chaos.fault;

import java.time.Duration;

/**
 * One thing done to one process.
 *
 * @param pick which of several possible processes: modulo their number
 * @param writesBefore writes to be acknowledged before it happens
 * @param pause how long a paused process stays so; a killed one is started again at once after the
 *     cluster has gone on without it
 */
public record Fault(Kind kind, Target target, int pick, int writesBefore, Duration pause) {
    /** What is done. */
    public enum Kind {
        /** SIGKILL, and later a start on what it left. */
        KILL,
        /** SIGSTOP, and later SIGCONT. */
        PAUSE
    }

    /** To whom. */
    public enum Target {
        LEADING_SERVER,
        ANY_SERVER,
        LEADING_MANAGER,
        ANY_MANAGER,
        FRONT_END
    }

    /** As logs tell it. */
    @Override
    public String toString() {
        return kind + " " + target + (kind == Kind.PAUSE ? " for " + pause.toMillis() + "ms" : "");
    }
}

package io.parterre.chaos.fault;

import java.time.Duration;

/**
 * One fault of one process.
 *
 * @param pick selects one of several possible processes, modulo their number
 * @param writesBefore number of writes to be acknowledged before the fault
 * @param pause how long a paused process stays paused; a killed one is started again as soon as the
 *     cluster has continued without it
 */
public record Fault(Kind kind, Target target, int pick, int writesBefore, Duration pause) {
    /** Kinds of fault. */
    public enum Kind {
        /** SIGKILL, and later a start on the data that it left. */
        KILL,
        /** SIGSTOP, and later SIGCONT. */
        PAUSE
    }

    /** Processes that a fault may hit. */
    public enum Target {
        LEADING_SERVER,
        ANY_SERVER,
        LEADING_MANAGER,
        ANY_MANAGER,
        FRONT_END
    }

    /** Returns the form for logs. */
    @Override
    public String toString() {
        return kind + " " + target + (kind == Kind.PAUSE ? " for " + pause.toMillis() + "ms" : "");
    }
}

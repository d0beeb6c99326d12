package io.parterre.manager.plan.request;

import java.time.Duration;
import java.util.Optional;

/**
 * Which process of a server reports, and whether the process is about to stop.
 *
 * @param process random, made at each start; empty if not reported
 * @param permitFor duration of the disruption permit for which the stopping process asks; empty if
 *     the process goes on
 */
public record StopIntent(String process, Optional<Duration> permitFor) {
    /** The value for a process that does not report it. */
    public static final StopIntent NONE = new StopIntent("", Optional.empty());

    private static final int LENGTH_MAX = 64;

    public StopIntent {
        if (process.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "process: "
                            + process.length()
                            + " characters (expected: at most "
                            + LENGTH_MAX
                            + ")");
        }
    }
}

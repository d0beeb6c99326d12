package io.parterre.manager.plan.request;

import java.time.Duration;
import java.util.Optional;

/**
 * Which process of a server reports, and whether the process is about to stop.
 *
 * @param process random, made at each start; empty: not told
 * @param permitFor the process stops and asks for the disruption permit for so long; empty: it goes
 *     on
 */
public record StopIntent(String process, Optional<Duration> permitFor) {
    /** Of a process that tells nothing of itself. */
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

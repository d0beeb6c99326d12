package io.parterre.manager;

import java.time.Duration;

/**
 * How fast managers notice changes of the others.
 *
 * @param electionTimeoutMin a manager that hears no leader for this long may become a candidate
 * @param tick period of the leader's work, and of each manager's check for a leader
 */
public record ManagerTimings(Duration electionTimeoutMin, Duration tick) {
    /** Suits a network that loses a packet now and then, and a machine with other work. */
    public static final ManagerTimings DEFAULT =
            new ManagerTimings(Duration.ofSeconds(1), Duration.ofSeconds(1));

    public ManagerTimings {
        requireMillis("electionTimeoutMin", electionTimeoutMin);
        requireMillis("tick", tick);
    }

    private static void requireMillis(String name, Duration value) {
        if (value.toMillis() < 10) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 10 ms)");
        }
    }
}

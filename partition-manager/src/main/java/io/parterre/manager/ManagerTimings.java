package io.parterre.manager;

import java.time.Duration;

/**
 * How soon managers see what happens to the others.
 *
 * @param electionTimeoutMin a manager without news of the leader for so long may stand for election
 * @param tick time between two looks: of the leader at what is to do, and of each at whether there
 *     is one
 */
public record ManagerTimings(Duration electionTimeoutMin, Duration tick) {
    /** Over a network with a lost packet now and then, beside other work of the machine. */
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

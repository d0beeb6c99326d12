package io.parterre.server.change;

import java.time.Duration;

/**
 * How long a leader waits where a range's members change.
 *
 * @param configureMax for a new member to get all data; then the change is given up here, while
 *     Ratis itself gives up only on one that falls silent
 * @param alignAfter a Raft group may differ from its range's descriptor for so long, which is time
 *     for the change that is under way to be recorded
 */
public record MemberWaits(Duration configureMax, Duration alignAfter) {
    public static final MemberWaits DEFAULT =
            new MemberWaits(Duration.ofMinutes(30), Duration.ofMinutes(1));

    public MemberWaits {
        requirePositive("configureMax", configureMax);
        requirePositive("alignAfter", alignAfter);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }
}

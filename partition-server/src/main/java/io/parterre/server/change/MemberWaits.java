package io.parterre.server.change;

import java.time.Duration;

/**
 * How long a leader waits when a range's members change.
 *
 * @param configureMax time for a new member to get all data, after which the server gives up the
 *     change. Ratis itself gives up only on a member that falls silent
 * @param alignAfter time for which a Raft group may differ from its range's descriptor, so that a
 *     change that is under way can be recorded
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

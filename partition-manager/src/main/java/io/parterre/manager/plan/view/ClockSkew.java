package io.parterre.manager.plan.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Decides whose clock is too far ahead to lead. A leader's clock stamps entities, and a range's
 * time goes back only after the leader's clock has been right for minutes. Until then one write
 * under a clock that is wrong by years marks all later writes. A clock that is behind does no such
 * harm. Pure.
 *
 * <p>Each clock is compared as of the arrival of its report, so the clock of a report that was
 * delayed looks behind, and all others look ahead by as much. The bound is far above such delays.
 */
public final class ClockSkew {
    /** Synchronized clocks differ by milliseconds, heartbeats by seconds. */
    public static final Duration AHEAD_MAX = Duration.ofSeconds(60);

    /**
     * Lower bound for the end of the state, so that leaderships do not come and go with a clock at
     * the upper bound.
     */
    static final Duration AHEAD_AGAIN = Duration.ofSeconds(30);

    /** Two clocks that differ do not show which of them is wrong. */
    private static final int CLOCKS_MIN = 3;

    private ClockSkew() {}

    /**
     * Judges one clock. A clock is too far ahead if it is ahead of more than half of all clocks,
     * itself included: of two halves that differ, neither is known to be right.
     *
     * @param before the previous verdict
     * @param own what the clock said, as a difference to a time that is the same for all
     * @param others what the others said, the manager's own clock included
     */
    public static ClockVerdict judge(
            ClockVerdict before, Duration own, Collection<Duration> others) {
        List<Duration> all = new ArrayList<>(others);
        all.add(own);
        if (all.size() < CLOCKS_MIN) {
            return new ClockVerdict(false, before.ahead(), before.tooFar());
        }
        Collections.sort(all);
        Duration ahead = own.minus(all.get(all.size() / 2));
        Duration bound = before.tooFar() ? AHEAD_AGAIN : AHEAD_MAX;
        return new ClockVerdict(true, ahead, ahead.compareTo(bound) > 0);
    }
}

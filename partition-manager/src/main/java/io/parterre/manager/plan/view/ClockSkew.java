package io.parterre.manager.plan.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Decides whose clock is too far ahead to lead. A leader's clock stamps entities, and a range's
 * time goes back only once the leader's clock was right for minutes: until then one write under a
 * clock that is wrong by years marks what is written after it. A clock that is behind does no such
 * harm. Pure.
 *
 * <p>Compared is what each clock said when its word came, so a word that was on its way for long
 * looks behind, and all others ahead of it by as much: the bound is far above that.
 */
public final class ClockSkew {
    /** Clocks that are kept in step differ by milliseconds, heartbeats by seconds. */
    public static final Duration AHEAD_MAX = Duration.ofSeconds(60);

    /** Where it ends, so that a clock at the bound does not have leaderships come and go. */
    static final Duration AHEAD_AGAIN = Duration.ofSeconds(30);

    /** Two that differ do not tell which of them is wrong. */
    private static final int CLOCKS_MIN = 3;

    private ClockSkew() {}

    /**
     * Judges one clock. It is too far ahead if it is so of more than half of all, itself included:
     * of two halves that differ nobody knows which is right.
     *
     * @param before what was known of it
     * @param own what it said, against any time that is the same for all
     * @param others what the others said, the manager's own clock among them
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

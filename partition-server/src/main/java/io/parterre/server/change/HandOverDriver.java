package io.parterre.server.change;

import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Has other members lead all ranges that a node leads, before it ends: asked for again and again,
 * until nothing is left that another member could lead or the time is over. Immutable; safe for any
 * thread.
 */
public record HandOverDriver(Duration timeMax) {
    private static final Duration POLL = Duration.ofMillis(5);

    /** What could not be transferred then may be by now; one that is under way goes on. */
    private static final Duration ASKED_AGAIN_AFTER = Duration.ofMillis(200);

    private static final int TRANSFERS_BEFORE_STEPPING_DOWN = 2;

    /**
     * How far it is.
     *
     * @param endNanos when it is given up; empty: it has not begun
     * @param dueNanos when it is asked for again
     */
    public record State(OptionalLong endNanos, long dueNanos) {}

    /** Before the first step. */
    public State initial() {
        return new State(OptionalLong.empty(), 0);
    }

    /**
     * The next step, at the first time and whenever that is due; its effects are transfers, and the
     * end.
     *
     * @param led followers of each range that is led here
     * @param nowNanos by a ticker
     */
    public ChangeDriver.Step<State> on(
            State state, Map<RangeId, List<FollowerState>> led, long nowNanos) {
        boolean left = led.values().stream().anyMatch(followers -> !followers.isEmpty());
        long endNanos = state.endNanos().orElse(nowNanos + timeMax.toNanos());
        if (!left || nowNanos - endNanos >= 0) {
            return ChangeDriver.Step.of(state, new ChangeEffect.End(!left));
        }
        boolean due = state.endNanos().isEmpty() || nowNanos - state.dueNanos() >= 0;
        return ChangeDriver.Step.until(
                nowNanos + POLL.toNanos(),
                new State(
                        OptionalLong.of(endNanos),
                        due ? nowNanos + ASKED_AGAIN_AFTER.toNanos() : state.dueNanos()),
                due ? transfers(led).toArray(ChangeEffect[]::new) : new ChangeEffect[0]);
    }

    /** Each range to the follower whose log is furthest; none where there is no follower. */
    public static List<ChangeEffect> transfers(Map<RangeId, List<FollowerState>> led) {
        return led.entrySet().stream()
                .flatMap(
                        range ->
                                range.getValue().stream()
                                        .max(Comparator.comparingLong(FollowerState::matchIndex))
                                        .stream()
                                        .<ChangeEffect>map(
                                                best ->
                                                        new ChangeEffect.BeginTransfer(
                                                                range.getKey(), best.nodeId())))
                .toList();
    }

    /**
     * Whether a leadership that is to end at once is given up instead of being transferred: to
     * nobody, as while a member is being taken in, can it be.
     *
     * @param triedTimes how many times transfers were asked for before
     */
    public static boolean stepsDown(int triedTimes) {
        return triedTimes >= TRANSFERS_BEFORE_STEPPING_DOWN;
    }
}

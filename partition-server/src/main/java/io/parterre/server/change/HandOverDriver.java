package io.parterre.server.change;

import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Transfers leadership of all ranges that a node leads before the node ends. Transfers are
 * requested repeatedly until no range is left that another member could lead, or the time is over.
 * Immutable; safe for any thread.
 */
public record HandOverDriver(Duration timeMax) {
    private static final Duration POLL = Duration.ofMillis(5);

    /** A transfer that was impossible may be possible now; a transfer that is under way goes on. */
    private static final Duration ASKED_AGAIN_AFTER = Duration.ofMillis(200);

    private static final int TRANSFERS_BEFORE_STEPPING_DOWN = 2;

    /**
     * Progress of the driver.
     *
     * @param endNanos time at which the hand-over is given up; empty if it has not begun
     * @param dueNanos time at which transfers are requested again
     */
    public record State(OptionalLong endNanos, long dueNanos) {}

    /** Returns the state before the first step. */
    public State initial() {
        return new State(OptionalLong.empty(), 0);
    }

    /**
     * Returns the next step, at first and whenever a wake-up is due. Its effects are transfers and
     * the end.
     *
     * @param led followers of each range that this node leads
     * @param nowNanos time by a ticker
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

    /**
     * Returns one transfer for each range, to the follower with the furthest log. A range without
     * followers has none.
     */
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
     * Whether a leadership that has to end at once is given up instead of transferred. A transfer
     * can be impossible, for example while a member is being added.
     *
     * @param triedTimes number of times that transfers were requested before
     */
    public static boolean stepsDown(int triedTimes) {
        return triedTimes >= TRANSFERS_BEFORE_STEPPING_DOWN;
    }
}

package io.parterre.frontend.route;

import io.parterre.range.NodeId;
import java.util.Optional;

/**
 * The history of a request's attempts.
 *
 * @param write whether the request changes anything
 * @param setbacks number of failed attempts
 * @param busy number of attempts refused as busy
 * @param inDoubt whether an attempt may have written
 * @param avoid node that the next attempt should not ask, if there is another
 * @param hops number of attempts without a pause since the last pause, or since the start
 */
public record Attempts(
        boolean write, int setbacks, int busy, boolean inDoubt, Optional<NodeId> avoid, int hops) {
    public static Attempts none(boolean write) {
        return new Attempts(write, 0, 0, false, Optional.empty(), 0);
    }

    /** Returns the history with one more failed attempt, followed by a pause. */
    Attempts after(Setback setback, Optional<NodeId> newAvoid) {
        return new Attempts(
                write,
                setbacks + 1,
                setback instanceof Setback.Busy ? busy + 1 : busy,
                inDoubt || write && setback.leavesDoubt(),
                newAvoid,
                0);
    }

    /** Returns the history with one more failed attempt, not followed by a pause. */
    Attempts hopAfter(Setback setback, Optional<NodeId> newAvoid) {
        Attempts after = after(setback, newAvoid);
        return new Attempts(
                after.write, after.setbacks, after.busy, after.inDoubt, after.avoid, hops + 1);
    }
}

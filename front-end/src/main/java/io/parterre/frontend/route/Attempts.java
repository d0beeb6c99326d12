package io.parterre.frontend.route;

import io.parterre.range.NodeId;
import java.util.Optional;

/**
 * What a request has been through so far.
 *
 * @param write whether it changes anything
 * @param setbacks how many attempts failed
 * @param busy how many of them were refused as busy
 * @param inDoubt whether one of them may have written
 * @param avoid the node that the next attempt should not ask, if there is another
 * @param hops how many attempts were made without a pause since the last one, or the start
 */
public record Attempts(
        boolean write, int setbacks, int busy, boolean inDoubt, Optional<NodeId> avoid, int hops) {
    public static Attempts none(boolean write) {
        return new Attempts(write, 0, 0, false, Optional.empty(), 0);
    }

    /** With one more that failed, and a pause after it. */
    Attempts after(Setback setback, Optional<NodeId> newAvoid) {
        return new Attempts(
                write,
                setbacks + 1,
                setback instanceof Setback.Busy ? busy + 1 : busy,
                inDoubt || write && setback.leavesDoubt(),
                newAvoid,
                0);
    }

    /** With one more that failed, and no pause. */
    Attempts hopAfter(Setback setback, Optional<NodeId> newAvoid) {
        Attempts after = after(setback, newAvoid);
        return new Attempts(
                after.write, after.setbacks, after.busy, after.inDoubt, after.avoid, hops + 1);
    }
}

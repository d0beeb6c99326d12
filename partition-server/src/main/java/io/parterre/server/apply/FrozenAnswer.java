package io.parterre.server.apply;

import io.parterre.range.Generation;
import io.parterre.server.command.ReplicaCommand;

/**
 * Answers of a frozen range. Repeats are not recalled, because a recall would note that their
 * sender was heard of.
 */
final class FrozenAnswer {
    private FrozenAnswer() {}

    static Outcome to(ReplicaCommand body, Generation generation) {
        if (body instanceof ReplicaCommand.SetMembers) {
            return new Outcome.MembersSet(generation);
        } else if (body instanceof ReplicaCommand.Split) {
            return new Outcome.RangeSplit(generation, false);
        } else if (body instanceof ReplicaCommand.Freeze) {
            return new Outcome.RangeFrozen(generation, false);
        } else if (body instanceof ReplicaCommand.Thaw) {
            return new Outcome.RangeThawed(generation, false);
        } else if (body instanceof ReplicaCommand.Absorb) {
            return new Outcome.RangeAbsorbed(generation, false);
        } else if (body instanceof ReplicaCommand.ResetClock) {
            return new Outcome.ClockReset(false);
        }
        return new Outcome.StaleRange();
    }
}

package io.parterre.server.apply;

import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.command.ReplicaCommand;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a change of a range's bounds or members is due; one that is not changes nothing.
 * A change names the generation that it leads to, so that a repeated or late one is not due.
 */
final class BoundsRules {
    private BoundsRules() {}

    static boolean isDue(ReplicaCommand.SetMembers command, RangeDescriptor range) {
        return command.generation().equals(range.generation().next());
    }

    static boolean isDue(ReplicaCommand.Split command, RangeDescriptor range) {
        return command.generation().equals(range.generation().next())
                && command.splitPoints().stream().allMatch(each -> isPossible(each, range));
    }

    private static boolean isPossible(ReplicaCommand.SplitPoint splitPoint, RangeDescriptor range) {
        KeyRange bounds = range.bounds();
        return bounds.contains(splitPoint.at())
                && !bounds.start().equals(splitPoint.at())
                && !splitPoint.childId().equals(range.rangeId());
    }

    static boolean isDue(ReplicaCommand.Freeze command, RangeDescriptor range) {
        return command.generation().equals(range.generation().next())
                && !command.leftId().equals(range.rangeId());
    }

    static boolean isDue(ReplicaCommand.Thaw command, RangeDescriptor range) {
        return range.isFrozen() && command.generation().equals(range.generation().next());
    }

    static boolean isDue(ReplicaCommand.Absorb command, RangeDescriptor left) {
        RangeDescriptor right = command.right();
        return command.from().equals(left.generation())
                && right.frozenFor().equals(Optional.of(left.rangeId()))
                && right.bounds().start().equals(left.bounds().endExclusive())
                && Set.copyOf(right.members()).equals(Set.copyOf(left.members()));
    }
}

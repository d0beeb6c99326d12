package io.parterre.server.change;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.ReplicaCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A split as ordered. What is to be done about it follows from where range and Raft group stand, so
 * that the order may come again and another leader may go on.
 *
 * @param from generation of the descriptor that is split
 * @param splitPoint first key of the child; empty: the leader chooses
 * @param childIds of the children in the order of their keys, one at least, all never used before.
 *     With a split point it is one; without, there are fewer children if there are not so many
 *     places
 * @param childLeader member that is to lead the child as soon as it can, if not this node
 */
public record SplitOrder(
        RangeId rangeId,
        Generation from,
        Optional<Key> splitPoint,
        List<RangeId> childIds,
        Optional<NodeId> childLeader) {
    public SplitOrder {
        childIds = List.copyOf(childIds);
        if (childIds.isEmpty() || splitPoint.isPresent() && childIds.size() > 1) {
            throw new IllegalArgumentException(
                    "children: " + childIds + " (expected: one, or more without a split point)");
        }
    }

    /** Id of the child that begins where the range ends then; it names the split. */
    public RangeId firstChildId() {
        return childIds.get(0);
    }

    /** How many ranges are wanted in place of one. */
    public int parts() {
        return childIds.size() + 1;
    }

    /**
     * Splits the range.
     *
     * @param splitPoints that {@link #verdict} was asked about; there may be fewer than children
     */
    public CommandDriver driver(List<Key> splitPoints, Duration commandMax) {
        List<ReplicaCommand.SplitPoint> parts = new ArrayList<>();
        for (int i = 0; i < splitPoints.size(); i++) {
            parts.add(new ReplicaCommand.SplitPoint(splitPoints.get(i), childIds.get(i)));
        }
        // Repeated: a quiet range would have the other members wait for it, and its child too.
        return new CommandDriver(
                rangeId, new ReplicaCommand.Split(from.next(), parts), true, commandMax);
    }

    /** What is to be done. */
    public enum Verdict {
        /** Split it. */
        SPLIT,
        /** It is split already. */
        DONE,
        /** The descriptor has moved on, or has not come that far. */
        OTHER_GENERATION,
        /** Group and descriptor differ, or will: the child would have members that are none. */
        MEMBERS_CHANGING,
        /** No range may begin there, or none that takes a part of this one. */
        BAD_SPLIT_POINT,
        /** There is no place to split. */
        NO_SPLIT_POINT,
        /** Another replica of this node has the child's id. */
        CHILD_KNOWN;

        /** Whether the manager has to hear why it is not done. */
        public boolean isRefusal() {
            return this != SPLIT && this != DONE;
        }
    }

    /**
     * What is to be done, on the node that leads.
     *
     * @param chosen the split point ordered, or those found for it; empty: none was found
     * @param current members of the Raft group
     * @param previous members it had before, while it changes; else empty
     * @param children descriptors under the children's ids, if there are any on this node
     */
    public Verdict verdict(
            RangeDescriptor descriptor,
            List<Key> chosen,
            Set<NodeId> current,
            Set<NodeId> previous,
            List<RangeDescriptor> children) {
        KeyRange bounds = descriptor.bounds();
        if (!children.isEmpty()) {
            boolean ours =
                    descriptor.generation().compareTo(from) > 0
                            && children.stream()
                                    .map(child -> child.bounds().start())
                                    .allMatch(start -> start.compareTo(bounds.endExclusive()) >= 0);
            return ours ? Verdict.DONE : Verdict.CHILD_KNOWN;
        }
        if (!descriptor.generation().equals(from) || descriptor.isFrozen()) {
            return Verdict.OTHER_GENERATION;
        }
        if (!previous.isEmpty() || !current.equals(Set.copyOf(descriptor.members()))) {
            return Verdict.MEMBERS_CHANGING;
        }
        if (chosen.isEmpty()) {
            return Verdict.NO_SPLIT_POINT;
        }
        return chosen.stream().allMatch(splitPoint -> canSplitAt(bounds, splitPoint))
                ? Verdict.SPLIT
                : Verdict.BAD_SPLIT_POINT;
    }

    private static boolean canSplitAt(KeyRange bounds, Key splitPoint) {
        return KeyCodec.isSplitPoint(splitPoint)
                && bounds.contains(splitPoint)
                && !bounds.start().equals(splitPoint);
    }
}

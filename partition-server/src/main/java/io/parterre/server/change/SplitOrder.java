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
 * A split as ordered. What is left to do follows from range and Raft group, so that the order may
 * repeat and another leader may continue.
 *
 * @param from generation of the descriptor that is split
 * @param splitPoint first key of the child; empty if the leader chooses
 * @param childIds ids of the children in key order, at least one, none ever used before. With a
 *     split point there is exactly one. Without one, fewer children are created if there are fewer
 *     possible split points
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

    /**
     * Returns the id of the child that begins at the parent's new upper bound; it identifies the
     * split.
     */
    public RangeId firstChildId() {
        return childIds.get(0);
    }

    /** Number of ranges wanted in place of this one. */
    public int parts() {
        return childIds.size() + 1;
    }

    /**
     * Returns a driver that splits the range.
     *
     * @param splitPoints the split points that {@link #verdict} accepted; may be fewer than
     *     children
     */
    public CommandDriver driver(List<Key> splitPoints, Duration commandMax) {
        List<ReplicaCommand.SplitPoint> parts = new ArrayList<>();
        for (int i = 0; i < splitPoints.size(); i++) {
            parts.add(new ReplicaCommand.SplitPoint(splitPoints.get(i), childIds.get(i)));
        }
        // Repeated, because on a quiet range the other members and the child would wait for the
        // next entry.
        return new CommandDriver(
                rangeId, new ReplicaCommand.Split(from.next(), parts), true, commandMax);
    }

    /** What to do about the order, or the reason why nothing is done. */
    public enum Verdict {
        /** Split the range. */
        SPLIT,
        /** The range is split already. */
        DONE,
        /** The descriptor is past the order's generation, not there yet, or frozen. */
        OTHER_GENERATION,
        /**
         * Group and descriptor differ or are changing, so the child would have members that are not
         * in the group.
         */
        MEMBERS_CHANGING,
        /**
         * No range may begin at the split point, or the split point is not inside of this range.
         */
        BAD_SPLIT_POINT,
        /** There is no possible split point. */
        NO_SPLIT_POINT,
        /** Another replica of this node has a child's id. */
        CHILD_KNOWN;

        /** Whether the manager has to hear why the split is not done. */
        public boolean isRefusal() {
            return this != SPLIT && this != DONE;
        }
    }

    /**
     * Decides what to do, on the node that leads.
     *
     * @param chosen the ordered split point, or those found by the leader; empty if none was found
     * @param current members of the Raft group
     * @param previous members before the change that is under way; empty if there is none
     * @param children descriptors under the children's ids on this node, if there are any
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

package io.parterre.server.raft;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.Optional;
import java.util.Set;

/**
 * A split as ordered. What is to be done about it follows from where range and Raft group stand, so
 * that the order may come again and another leader may go on.
 *
 * @param from generation of the descriptor that is cut
 * @param cut first key of the child; empty: the leader chooses
 * @param childId never used before
 * @param childLeader member that is to lead the child as soon as it can, if not this node
 */
public record SplitOrder(
        RangeId rangeId,
        Generation from,
        Optional<Key> cut,
        RangeId childId,
        Optional<NodeId> childLeader) {

    /** What is to be done. */
    public enum Verdict {
        /** Cut it. */
        SPLIT,
        /** It is cut already. */
        DONE,
        /** The descriptor has moved on, or has not come that far. */
        OTHER_GENERATION,
        /** Group and descriptor differ, or will: the child would have members that are none. */
        MEMBERS_CHANGING,
        /** No range may begin there, or none that takes a part of this one. */
        BAD_CUT,
        /** There is no place to cut. */
        NO_CUT,
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
     * @param chosen the cut ordered, or the one found for it; empty: none was found
     * @param current members of the Raft group
     * @param previous members it had before, while it changes; else empty
     * @param child the child's descriptor, if there is one on this node
     */
    public Verdict verdict(
            RangeDescriptor descriptor,
            Optional<Key> chosen,
            Set<NodeId> current,
            Set<NodeId> previous,
            Optional<RangeDescriptor> child) {
        KeyRange bounds = descriptor.bounds();
        if (child.isPresent()) {
            boolean ours =
                    descriptor.generation().compareTo(from) > 0
                            && child.get().bounds().start().compareTo(bounds.endExclusive()) >= 0;
            return ours ? Verdict.DONE : Verdict.CHILD_KNOWN;
        }
        if (!descriptor.generation().equals(from) || descriptor.isFrozen()) {
            return Verdict.OTHER_GENERATION;
        }
        if (!previous.isEmpty() || !current.equals(Set.copyOf(descriptor.members()))) {
            return Verdict.MEMBERS_CHANGING;
        }
        if (chosen.isEmpty()) {
            return Verdict.NO_CUT;
        }
        boolean cuts =
                KeyCodec.isCut(chosen.get())
                        && bounds.contains(chosen.get())
                        && !bounds.start().equals(chosen.get());
        return cuts ? Verdict.SPLIT : Verdict.BAD_CUT;
    }
}

package io.parterre.manager.map;

import io.parterre.key.AccountId;
import io.parterre.key.ObjectId;
import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.List;

/** The outcome of a command, the same on every manager. Immutable. */
public sealed interface MapOutcome {
    /**
     * The cluster has this id.
     *
     * @param first whether this command gave it; false if an earlier one did
     */
    record Founded(ClusterId clusterId, boolean first) implements MapOutcome {}

    /** The map holds the node as in the command. */
    record Registered(NodeId nodeId) implements MapOutcome {}

    /** The account exists as in the command. */
    record Ensured(AccountId accountId) implements MapOutcome {}

    /** The requester owns {@code first} and the ids after it, and no other ever does. */
    record Leased(ObjectId first, int count) implements MapOutcome {}

    /** Nothing changed, because the map does not hold these nodes. */
    record UnknownMembers(List<NodeId> members) implements MapOutcome {
        public UnknownMembers {
            members = List.copyOf(members);
        }
    }

    /** The range is being split. Its children will have these ids. */
    record SplitBegun(List<RangeId> childIds) implements MapOutcome {}

    /** The map is as the command says. */
    record Done() implements MapOutcome {}

    /** Nothing changed. */
    record Refused(Reason reason) implements MapOutcome {}
}

package io.parterre.manager.map;

import io.parterre.key.AccountId;
import io.parterre.key.ObjectId;
import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.List;

/** What became of a command; the same on every manager. */
public sealed interface MapOutcome {
    /**
     * The cluster has this id.
     *
     * @param first whether this command gave it; false: an earlier one did
     */
    record Founded(ClusterId clusterId, boolean first) implements MapOutcome {}

    /** The node is in the map as the command says. */
    record Registered(NodeId nodeId) implements MapOutcome {}

    /** The account exists with the command's keys. */
    record Ensured(AccountId accountId) implements MapOutcome {}

    /** {@code first} and the numbers after it belong to who asked, and to nobody else ever. */
    record Leased(ObjectId first, int count) implements MapOutcome {}

    /** Nothing changed: the cluster cannot be founded on nodes that the map does not know. */
    record UnknownMembers(List<NodeId> members) implements MapOutcome {
        public UnknownMembers {
            members = List.copyOf(members);
        }
    }

    /** The range is being split; the child will have this id. */
    record SplitBegun(List<RangeId> childIds) implements MapOutcome {}

    /** The map is as the command says. */
    record Done() implements MapOutcome {}

    /** Nothing changed. */
    record Refused(Reason reason) implements MapOutcome {}
}

package io.parterre.server.lead;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Members and leaders of Raft groups that this node is in. Safe for any thread; each call fails
 * with an {@code IOException} if the group is gone.
 */
public interface GroupMembers {
    /**
     * Members of a Raft group as this node's log has them.
     *
     * @param previous while the group changes from these; else empty
     */
    record Peers(Set<NodeId> current, Set<NodeId> previous) {}

    Peers peers(RangeId rangeId) throws IOException;

    /**
     * Gives a group that this node leads other members, in place of exactly those it has now. Ends
     * when they have the say; a new member gets all data before that.
     */
    CompletableFuture<Void> configure(RangeId rangeId, List<Member> members) throws IOException;

    /**
     * Has another member of a group lead that this node leads. Nothing is written meanwhile. Fails
     * after two election timeouts.
     */
    CompletableFuture<Void> transfer(RangeId rangeId, NodeId target) throws IOException;

    /** Leads a group no more, and leaves the next elections to the others for a while. */
    CompletableFuture<Void> stepDown(RangeId rangeId) throws IOException;
}

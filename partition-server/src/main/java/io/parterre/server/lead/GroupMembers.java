package io.parterre.server.lead;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Members and leaders of Raft groups that this node belongs to. Safe for any thread; each call
 * fails with an {@code IOException} if the group is gone.
 */
public interface GroupMembers {
    /**
     * Members of a Raft group according to this node's log.
     *
     * @param previous members before the change that is under way; empty if there is none
     */
    record Peers(Set<NodeId> current, Set<NodeId> previous) {}

    Peers peers(RangeId rangeId) throws IOException;

    /**
     * Gives other members to a group that this node leads, by compare-and-set against its present
     * members. The future ends when the new members are in effect; a new member gets all data
     * before that.
     */
    CompletableFuture<Void> configure(RangeId rangeId, List<Member> members) throws IOException;

    /**
     * Transfers leadership of a group that this node leads to another member. Nothing is written
     * meanwhile. Fails after two election timeouts.
     */
    CompletableFuture<Void> transfer(RangeId rangeId, NodeId target) throws IOException;

    /**
     * Gives up leadership of a group, and leaves the next elections to the other members for a
     * while.
     */
    CompletableFuture<Void> stepDown(RangeId rangeId) throws IOException;
}

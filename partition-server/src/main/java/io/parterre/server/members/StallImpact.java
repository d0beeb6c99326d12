package io.parterre.server.members;

import io.parterre.range.NodeId;
import io.parterre.server.change.FollowerState;
import io.parterre.server.read.SyncProgress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a range goes on without the member whose disk hangs. Pure.
 *
 * @param members members of the range, this one included
 * @param neededIndex entry that the others must have on disk to go on: the first that is on no disk
 *     of this node, or the last one if there is none
 */
public record StallImpact(List<NodeId> members, long neededIndex) {
    public StallImpact {
        members = List.copyOf(members);
    }

    /**
     * Whether the others are enough to decide, and go on.
     *
     * @param followers followers as this node sees them while it leads; empty if it does not lead
     * @param heard last message of the leader that this node follows
     * @param silenceMax age up to which a message of the others counts
     */
    public boolean survivesWithoutNode(
            List<FollowerState> followers,
            Optional<SyncProgress.LeaderCommit> heard,
            long nowNanos,
            Duration silenceMax) {
        if (followers.isEmpty()) {
            // An entry committed without this member is on the disks of a majority of the others.
            return members.size() > 1
                    && heard.isPresent()
                    && nowNanos - heard.get().atNanos() <= silenceMax.toNanos()
                    && heard.get().committedIndex() >= neededIndex;
        }
        long ahead =
                followers.stream()
                        .filter(follower -> members.contains(follower.nodeId()))
                        .filter(follower -> follower.silent().compareTo(silenceMax) <= 0)
                        .filter(follower -> follower.matchIndex() >= neededIndex)
                        .count();
        return ahead > members.size() / 2;
    }
}

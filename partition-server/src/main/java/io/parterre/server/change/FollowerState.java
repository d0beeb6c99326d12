package io.parterre.server.change;

import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A follower as its leader sees it.
 *
 * @param matchIndex last entry up to which the follower's log agrees with the leader's; -1 if
 *     unknown
 * @param silent time since the follower's last answer
 * @param regressedFrom last entry that the follower had acknowledged when it turned out to lack
 *     some of them; empty if it lacks none
 * @param differsAt entry at which the rows were last compared, if the follower's rows differ from
 *     those of most members
 */
public record FollowerState(
        NodeId nodeId,
        long matchIndex,
        Duration silent,
        OptionalLong regressedFrom,
        OptionalLong differsAt) {
    /** Creates a follower that lacks no acknowledged entry and whose rows do not differ. */
    public FollowerState(NodeId nodeId, long matchIndex, Duration silent) {
        this(nodeId, matchIndex, silent, OptionalLong.empty(), OptionalLong.empty());
    }
}

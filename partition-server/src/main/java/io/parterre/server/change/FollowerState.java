package io.parterre.server.change;

import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A follower as its leader sees it.
 *
 * @param matchIndex up to which entry its log agrees with the leader's; -1: not known
 * @param silent since its last answer
 * @param regressedFrom last entry that it had acknowledged when it turned out to lack some; empty:
 *     it lacks none of those
 * @param differsAt last entry at which its rows were compared, if they are others than those of
 *     most members
 */
public record FollowerState(
        NodeId nodeId,
        long matchIndex,
        Duration silent,
        OptionalLong regressedFrom,
        OptionalLong differsAt) {
    /** One that has all that it acknowledged, and nothing else. */
    public FollowerState(NodeId nodeId, long matchIndex, Duration silent) {
        this(nodeId, matchIndex, silent, OptionalLong.empty(), OptionalLong.empty());
    }
}

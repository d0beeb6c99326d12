package io.parterre.server.raft;

import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.FollowerView;

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
    FollowerState(NodeId nodeId, long matchIndex, Duration silent) {
        this(nodeId, matchIndex, silent, OptionalLong.empty(), OptionalLong.empty());
    }

    /** All followers, as this division sees them; none if it does not lead. */
    static List<FollowerState> of(RaftServer.Division division) {
        return FollowerView.of(division).stream().map(view -> of(division, view)).toList();
    }

    private static FollowerState of(RaftServer.Division division, FollowerView view) {
        NodeId nodeId = new NodeId(view.peerId());
        return new FollowerState(
                nodeId,
                view.matchIndex(),
                Duration.ofMillis(view.silentMillis()),
                division.getStateMachine() instanceof ReplicaStateMachine own
                        ? own.regressed().acknowledged(nodeId)
                        : OptionalLong.empty(),
                division.getStateMachine() instanceof ReplicaStateMachine own
                        ? own.differing().of(nodeId)
                        : OptionalLong.empty());
    }
}

package io.parterre.server.raft;

import io.parterre.range.NodeId;
import io.parterre.server.change.FollowerState;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.FollowerView;

/** Followers as Ratis sees them. Stateless; safe for any thread. */
final class Followers {
    private Followers() {}

    /** Returns all followers as this division sees them; none if it does not lead. */
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

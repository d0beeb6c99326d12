package io.parterre.server.raft;

import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.List;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.FollowerView;

/**
 * A follower as its leader sees it.
 *
 * @param matchIndex up to which entry its log agrees with the leader's; -1: not known
 * @param silent since its last answer
 */
public record FollowerState(NodeId nodeId, long matchIndex, Duration silent) {
    /** All followers, as this division sees them; none if it does not lead. */
    static List<FollowerState> of(RaftServer.Division division) {
        return FollowerView.of(division).stream()
                .map(
                        view ->
                                new FollowerState(
                                        new NodeId(view.peerId()),
                                        view.matchIndex(),
                                        Duration.ofMillis(view.silentMillis())))
                .toList();
    }
}

package io.parterre.manager.raft;

import io.parterre.manager.map.ClusterManager;
import io.parterre.raftlink.Elections;
import io.parterre.raftlink.RaftLinks;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;

/**
 * The group while it runs here, and its state in Ratis. Thread-safe.
 *
 * @param division this manager's replica of the group
 */
record RunningGroup(
        RaftGroupId groupId,
        RaftServer server,
        MapStateMachine machine,
        RaftServer.Division division,
        RaftLinks links,
        Elections elections) {
    Optional<RaftPeerId> leaderId() {
        return Optional.ofNullable(division.getInfo().getLeaderId());
    }

    /** Returns the members of the configuration in effect. */
    List<ClusterManager> members() {
        return division.getRaftConf().getCurrentPeers().stream().map(GroupPeers::manager).toList();
    }

    /** Returns whether no change of the members is in progress. */
    boolean isStable() {
        return division.getRaftConf().getPreviousPeers().isEmpty();
    }

    /** Returns whether the leader still sends to a peer that is no member. */
    boolean hasStrays() {
        Set<RaftPeerId> members = peerIds();
        return followers().anyMatch(follower -> !members.contains(id(follower)));
    }

    /** Returns the members before and after a change in progress. */
    private Set<RaftPeerId> peerIds() {
        RaftConfiguration configuration = division.getRaftConf();
        return Stream.concat(
                        configuration.getCurrentPeers().stream(),
                        configuration.getPreviousPeers().stream())
                .map(RaftPeer::getId)
                .collect(Collectors.toSet());
    }

    /** Returns the peers to which the leader, which this manager must be, sends. */
    private Stream<ServerRpcProto> followers() {
        return division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream();
    }

    private static RaftPeerId id(ServerRpcProto follower) {
        return RaftPeerId.valueOf(follower.getId().getId());
    }

    /** Returns the time since the leader, which this manager must be, heard each other member. */
    Map<NodeId, Duration> silences() {
        return followers()
                .collect(
                        Collectors.toMap(
                                each -> GroupPeers.nodeId(each.getId().getId().toStringUtf8()),
                                each -> Duration.ofMillis(each.getLastRpcElapsedTimeMs()),
                                (one, other) -> one));
    }

    /**
     * Returns the member that answered last; empty if there is no other, or this manager does not
     * lead.
     */
    Optional<RaftPeerId> successor() {
        if (!division.getInfo().isLeader()) {
            return Optional.empty();
        }
        Set<RaftPeerId> members = peerIds();
        return followers()
                .filter(follower -> members.contains(id(follower)))
                .min(Comparator.comparingLong(ServerRpcProto::getLastRpcElapsedTimeMs))
                .map(RunningGroup::id);
    }
}

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
 * The group while it runs here, and what Ratis tells of it. Safe for any thread.
 *
 * @param division this manager's replica of it
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

    /** As the configuration in effect has them. */
    List<ClusterManager> members() {
        return division.getRaftConf().getCurrentPeers().stream().map(GroupPeers::manager).toList();
    }

    /** Whether no change of the members is under way. */
    boolean isStable() {
        return division.getRaftConf().getPreviousPeers().isEmpty();
    }

    /** Whether the leader still sends to a peer that is no member. */
    boolean hasStrays() {
        Set<RaftPeerId> members = peerIds();
        return followers().anyMatch(follower -> !members.contains(id(follower)));
    }

    /** Of the members before a change that is under way, and after it. */
    private Set<RaftPeerId> peerIds() {
        RaftConfiguration configuration = division.getRaftConf();
        return Stream.concat(
                        configuration.getCurrentPeers().stream(),
                        configuration.getPreviousPeers().stream())
                .map(RaftPeer::getId)
                .collect(Collectors.toSet());
    }

    /** To whom the leader, which this manager has to be, sends. */
    private Stream<ServerRpcProto> followers() {
        return division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream();
    }

    private static RaftPeerId id(ServerRpcProto follower) {
        return RaftPeerId.valueOf(follower.getId().getId());
    }

    /** For how long the leader, which this manager has to be, has not heard the other members. */
    Map<NodeId, Duration> silences() {
        return followers()
                .collect(
                        Collectors.toMap(
                                each -> GroupPeers.nodeId(each.getId().getId().toStringUtf8()),
                                each -> Duration.ofMillis(each.getLastRpcElapsedTimeMs()),
                                (one, other) -> one));
    }

    /** The member that answered last; empty: there is no other, or this manager does not lead. */
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

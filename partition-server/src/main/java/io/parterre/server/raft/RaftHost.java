package io.parterre.server.raft;

import io.parterre.concurrent.Alarm;
import io.parterre.raftlink.GroupStartGate;
import io.parterre.raftlink.RaftLinks;
import io.parterre.raftlink.VoteGuard;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import io.parterre.server.lead.GroupMembers;
import io.parterre.server.log.LogBufferRoom;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.segmented.LogWriters;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's Raft server and its groups. One caller at a time starts, adds, removes and closes, and
 * waits for the disk; everything else is safe for any thread.
 */
public final class RaftHost implements GroupMembers, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftHost.class);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);
    private static final Duration CLOSE_POLL = Duration.ofMillis(5);

    private final RaftServer server;
    private final RaftConfig config;
    private final LogBufferRoom room;
    private final GroupStartGate gate;
    private final LongSupplier nanoTicker;
    private final RaftLinks links;
    private final GroupLeadership leadership;
    private final GroupChanges changes = new GroupChanges();
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong callIds = new AtomicLong();

    /**
     * Creates the host of a server that has started, see {@link RaftStart}.
     *
     * @param room memory for the logs of groups that are added
     * @param gate holds calls back in groups that are being added
     * @param votes guards the votes of the server
     */
    RaftHost(
            RaftServer server,
            RaftConfig config,
            LogBufferRoom room,
            GroupStartGate gate,
            VoteGuard votes,
            LongSupplier nanoTicker,
            Alarm alarm) {
        this.server = server;
        this.config = config;
        this.room = room;
        this.gate = gate;
        this.nanoTicker = nanoTicker;
        this.links = RaftLinks.watch(server, config.electionTimeoutMax(), nanoTicker);
        this.leadership =
                new GroupLeadership(server, votes, config.electionTimeoutMax(), nanoTicker, alarm);
    }

    /** Returns host:port at which other members reach this server. */
    public String address() {
        int port =
                config.port() != 0
                        ? config.port()
                        : server.getServerRpc().getInetSocketAddress().getPort();
        return config.host() + ":" + port;
    }

    /** Ratis's server, for tests that watch it or end it as Ratis does. */
    public RaftServer server() {
        return server;
    }

    /** Whether the server closes, is closed or has failed, by {@link #close} or by itself. */
    public boolean hasEnded() {
        LifeCycle.State state = server.getLifeCycleState();
        return state.isClosingOrClosed() || state == LifeCycle.State.EXCEPTION;
    }

    private static RaftGroupId group(RangeId rangeId) {
        return RaftGroupId.valueOf(rangeId.groupId());
    }

    private RaftConfiguration configuration(RangeId rangeId) throws IOException {
        return server.getDivision(group(rangeId)).getRaftConf();
    }

    /** Whether the server has the group of a range, running or ended. */
    public boolean contains(RangeId rangeId) {
        RaftGroupId wanted = group(rangeId);
        for (RaftGroupId each : server.getGroupIds()) {
            if (each.equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the server has the group and the group has no configuration yet. */
    public boolean isWithoutMembers(RangeId rangeId) throws IOException {
        return contains(rangeId) && configuration(rangeId).getAllPeers().isEmpty();
    }

    private static List<RaftPeer> raftPeers(List<Member> members) {
        return members.stream().map(RaftHost::raftPeer).toList();
    }

    /**
     * Converts a member. Ratis only stores the service address; nothing of Ratis connects to it.
     */
    private static RaftPeer raftPeer(Member member) {
        RaftPeer.Builder peer =
                RaftPeer.newBuilder()
                        .setId(member.nodeId().value())
                        .setAddress(member.raftAddress());
        if (!member.serviceAddress().isEmpty()) {
            peer.setClientAddress(member.serviceAddress());
        }
        return peer.build();
    }

    @Override
    public Peers peers(RangeId rangeId) throws IOException {
        RaftConfiguration configuration = configuration(rangeId);
        return new Peers(
                nodeIds(configuration.getCurrentPeers()),
                nodeIds(configuration.getPreviousPeers()));
    }

    private static Set<NodeId> nodeIds(Collection<RaftPeer> peers) {
        return peers.stream()
                .map(peer -> new NodeId(peer.getId().toString()))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public CompletableFuture<Void> configure(RangeId rangeId, List<Member> members)
            throws IOException {
        List<RaftPeer> current = List.copyOf(configuration(rangeId).getCurrentPeers());
        return server.setConfigurationAsync(
                        new SetConfigurationRequest(
                                clientId,
                                server.getId(),
                                group(rangeId),
                                callIds.incrementAndGet(),
                                SetConfigurationRequest.Arguments.newBuilder()
                                        .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                                        .setServersInCurrentConf(current)
                                        .setServersInNewConf(raftPeers(members))
                                        .build()))
                .thenAccept(GroupLeadership::requireSuccess);
    }

    @Override
    public CompletableFuture<Void> transfer(RangeId rangeId, NodeId target) throws IOException {
        return leadership.transfer(group(rangeId), target);
    }

    @Override
    public CompletableFuture<Void> stepDown(RangeId rangeId) throws IOException {
        return leadership.stepDown(group(rangeId));
    }

    /** Stands for election again in groups whose leadership this node has given up. */
    public void allowCandidacy() {
        leadership.allowCandidacy();
    }

    /** Makes this node stand for election at once, see {@link GroupLeadership#electSelf}. */
    public void electSelf(RangeId rangeId) throws IOException {
        leadership.electSelf(group(rangeId));
    }

    /** Whether this node is the group's only member. */
    public boolean isAlone(RangeId rangeId) throws IOException {
        Peers peers = peers(rangeId);
        return peers.previous().isEmpty()
                && peers.current().equals(Set.of(new NodeId(server.getId().toString())));
    }

    /**
     * Joins a replica to its group. The group is added if the server does not have it.
     *
     * @param members members of a group that is added
     * @throws IOException if the replica could not join; the caller may retry
     */
    public void join(Replica replica, List<Member> members) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        RaftGroupId groupId = group(rangeId);
        if (!contains(rangeId)) {
            room.require(RaftSettings.LOG_BUFFER_BYTES);
            // Before the lock of all changes, because it may wait for calls.
            try (GroupStartGate.Closure closure = gate.close(groupId)) {
                changes.run(
                        () ->
                                closure.until(
                                        server.groupManagementAsync(addition(groupId, members))));
            }
        }
        replica.started(server.getDivision(groupId));
    }

    private GroupManagementRequest addition(RaftGroupId groupId, List<Member> members) {
        return GroupManagementRequest.newAdd(
                clientId,
                server.getId(),
                callIds.incrementAndGet(),
                RaftGroup.valueOf(groupId, raftPeers(members)),
                false);
    }

    /**
     * Removes the group from the server.
     *
     * @param withLog whether the log is deleted as well; if not, it stays where it is
     */
    public void remove(RangeId rangeId, boolean withLog) throws IOException {
        RaftGroupId groupId = group(rangeId);
        try (LogWriters.Waking waking =
                LogWriters.wake(List.of(RaftGroupMemberId.valueOf(server.getId(), groupId)))) {
            changes.run(
                    () ->
                            server.groupManagementAsync(
                                    GroupManagementRequest.newRemove(
                                            clientId,
                                            server.getId(),
                                            callIds.incrementAndGet(),
                                            groupId,
                                            withLog,
                                            false)));
        }
    }

    @Override
    public void close() {
        links.close();
        leadership.close();
        changes.close(CLOSE_WAIT);
        List<RaftServer.Division> divisions = new ArrayList<>();
        try {
            for (RaftGroupId groupId : server.getGroupIds()) {
                divisions.add(server.getDivision(groupId));
            }
        } catch (IOException failure) {
            LOG.warn("raft server not closed cleanly", failure);
        }
        try (LogWriters.Waking waking =
                LogWriters.wake(
                        divisions.stream().map(RaftServer.Division::getMemberId).toList())) {
            server.close();
            divisions.forEach(this::awaitClosed);
        } catch (IOException failure) {
            LOG.warn("raft server not closed cleanly", failure);
        }
    }

    /**
     * A group that failed closes itself, and the server does not wait for the end of that. Polls,
     * because Ratis reports no end.
     */
    private void awaitClosed(RaftServer.Division division) {
        long start = nanoTicker.getAsLong();
        while (division.getInfo().getLifeCycleState() != LifeCycle.State.CLOSED) {
            if (nanoTicker.getAsLong() - start > CLOSE_WAIT.toNanos()) {
                LOG.warn("raft group still closing memberId={}", division.getMemberId());
                return;
            }
            LockSupport.parkNanos(CLOSE_POLL.toNanos());
        }
    }
}

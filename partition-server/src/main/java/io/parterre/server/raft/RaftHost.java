package io.parterre.server.raft;

import io.parterre.concurrent.Alarm;
import io.parterre.raftlink.GroupStartGate;
import io.parterre.raftlink.GuardedRpcType;
import io.parterre.raftlink.HeardAppends;
import io.parterre.raftlink.MemberCalls;
import io.parterre.raftlink.RaftLinks;
import io.parterre.raftlink.VoteGuard;
import io.parterre.range.NodeId;
import io.parterre.server.command.Member;
import io.parterre.server.log.LogBufferRoom;
import io.parterre.server.log.LogMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.segmented.LogWriters;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node's Raft server and the groups in it. One caller at a time; waits for the disk. */
final class RaftHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftHost.class);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);
    private static final Duration CLOSE_POLL = Duration.ofMillis(5);

    static {
        // Else Ratis makes a JMX bean of each of its numbers, a hundred for a group, and a
        // write that waits for the child of a split waits for that too. Nothing reads them.
        MetricRegistries.global().addReporterRegistration(registry -> {}, registry -> {});
        LogWriters.watch();
    }

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

    private RaftHost(
            RaftServer server,
            RaftConfig config,
            LogBufferRoom room,
            GroupStartGate gate,
            LongSupplier nanoTicker,
            Alarm alarm) {
        this.server = server;
        this.config = config;
        this.room = room;
        this.gate = gate;
        this.nanoTicker = nanoTicker;
        this.links = RaftLinks.watch(server, config.electionTimeoutMax(), nanoTicker);
        this.leadership =
                new GroupLeadership(server, config.electionTimeoutMax(), nanoTicker, alarm);
    }

    /**
     * Starts the server with every group whose log lies in the folder.
     *
     * @param appends hears what leaders send to this node
     * @param calls answers the other members
     * @param memory heap for the logs
     * @param room for the logs of groups that are added
     */
    static RaftHost start(
            RaftConfig config,
            RaftPeerId self,
            Path folder,
            Function<RaftGroupId, ReplicaStateMachine> stateMachines,
            HeardAppends appends,
            MemberCalls calls,
            LogMemory memory,
            LogBufferRoom room,
            LongSupplier nanoTicker,
            Alarm alarm)
            throws IOException {
        // Ratis would end the process when its address is taken; that is not for a library to do.
        ExitUtils.disableSystemExit();
        GroupStartGate gate = new GroupStartGate();
        RaftServer server =
                RaftServer.newBuilder()
                        .setServerId(self)
                        .setStateMachineRegistry(stateMachines::apply)
                        .setProperties(RaftSettings.of(config, memory, folder))
                        .setParameters(
                                new GuardedRpcType.Setup(
                                                gate,
                                                calls,
                                                new VoteGuard(
                                                        RaftSettings.lease(config),
                                                        config.electionTimeoutMin(),
                                                        nanoTicker,
                                                        alarm),
                                                appends::watched,
                                                GuardedRpcType.Appenders.TRACKING)
                                        .parameters())
                        .build();
        try {
            server.start();
        } catch (IOException | RuntimeException failure) {
            server.close();
            if (failure.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw failure;
        }
        return new RaftHost(server, config, room, gate, nanoTicker, alarm);
    }

    String address() {
        int port =
                config.port() != 0
                        ? config.port()
                        : server.getServerRpc().getInetSocketAddress().getPort();
        return config.host() + ":" + port;
    }

    /** What keeps the groups; for tests that watch it or end it as Ratis does. */
    RaftServer server() {
        return server;
    }

    /** Whether the server is at its end, by {@link #close} or by itself. */
    boolean hasEnded() {
        LifeCycle.State state = server.getLifeCycleState();
        return state.isClosingOrClosed() || state == LifeCycle.State.EXCEPTION;
    }

    /** Who leads the groups. */
    GroupLeadership leadership() {
        return leadership;
    }

    boolean contains(RaftGroupId groupId) {
        for (RaftGroupId each : server.getGroupIds()) {
            if (each.equals(groupId)) {
                return true;
            }
        }
        return false;
    }

    boolean isWithoutMembers(RaftGroupId groupId) throws IOException {
        return contains(groupId)
                && server.getDivision(groupId).getRaftConf().getAllPeers().isEmpty();
    }

    private static List<RaftPeer> raftPeers(List<Member> members) {
        return members.stream().map(RaftHost::raftPeer).toList();
    }

    /** Ratis keeps the service's address for us; nothing of Ratis connects to it. */
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

    /**
     * Members of a Raft group as this node's log has them.
     *
     * @param previous while the group changes from these; else empty
     */
    record Peers(Set<NodeId> current, Set<NodeId> previous) {}

    Peers peers(RaftGroupId groupId) throws IOException {
        RaftConfiguration configuration = server.getDivision(groupId).getRaftConf();
        return new Peers(
                nodeIds(configuration.getCurrentPeers()),
                nodeIds(configuration.getPreviousPeers()));
    }

    private static Set<NodeId> nodeIds(Collection<RaftPeer> peers) {
        return peers.stream()
                .map(peer -> new NodeId(peer.getId().toString()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Gives a group that this node leads other members, in place of exactly those it has now. Ends
     * when they have the say; a new member gets all data before that.
     */
    CompletableFuture<Void> configure(RaftGroupId groupId, List<Member> members)
            throws IOException {
        List<RaftPeer> current =
                List.copyOf(server.getDivision(groupId).getRaftConf().getCurrentPeers());
        return server.setConfigurationAsync(
                        new SetConfigurationRequest(
                                clientId,
                                server.getId(),
                                groupId,
                                callIds.incrementAndGet(),
                                SetConfigurationRequest.Arguments.newBuilder()
                                        .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                                        .setServersInCurrentConf(current)
                                        .setServersInNewConf(raftPeers(members))
                                        .build()))
                .thenAccept(GroupLeadership::requireSuccess);
    }

    /** Whether this node is the group's only member. */
    boolean isAlone(RaftGroupId groupId) throws IOException {
        Peers peers = peers(groupId);
        return peers.previous().isEmpty()
                && peers.current().equals(Set.of(new NodeId(server.getId().toString())));
    }

    /**
     * Adds the group if the server does not have it, and returns this node's part of it.
     *
     * @throws IOException if it could not; it may be tried again
     */
    RaftServer.Division join(RaftGroupId groupId, List<Member> members) throws IOException {
        if (!contains(groupId)) {
            room.require(RaftSettings.LOG_BUFFER_BYTES);
            // Before the lock of all changes: it may wait for calls.
            try (GroupStartGate.Closure closure = gate.close(groupId)) {
                changes.run(
                        () ->
                                closure.until(
                                        server.groupManagementAsync(addition(groupId, members))));
            }
        }
        return server.getDivision(groupId);
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
     * Takes the group out of the server.
     *
     * @param withLog whether its log goes as well, or stays where it is
     */
    void remove(RaftGroupId groupId, boolean withLog) throws IOException {
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
     * A group that failed closes itself, and the server does not wait for that to end. Polls, since
     * Ratis tells of no end.
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

package io.parterre.manager.raft;

import io.parterre.crash.CrashHook;
import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapCommandCodec;
import io.parterre.manager.map.MapOutcome;
import io.parterre.raftlink.AppendConnections;
import io.parterre.raftlink.Elections;
import io.parterre.raftlink.GroupStartGate;
import io.parterre.raftlink.GuardedRpcType;
import io.parterre.raftlink.MemberCalls;
import io.parterre.raftlink.MemberMoment;
import io.parterre.raftlink.RaftLinks;
import io.parterre.raftlink.VoteGuard;
import io.parterre.raftlog.LogFolder;
import io.parterre.raftlog.VoteFile;
import io.parterre.range.NodeId;
import io.parterre.tls.TlsEnds;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.FailedTransfer;
import org.apache.ratis.server.raftlog.segmented.LogWriters;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.ExitUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This manager's replica of the map: proposes commands and shows the applied map. Runs in at most
 * one Raft group at a time; in none, the map is empty and there is no leader. Thread-safe, except
 * that one thread begins and ends the group.
 */
public final class MapGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MapGroup.class);

    /** Id of all groups from before each had an id of its own. */
    public static final UUID FIRST_GROUP_ID = new UUID(0x7061727465727265L, 0L);

    /** Ratis gives up earlier on a member that does not answer. A long log takes its time. */
    private static final Duration CHANGE_TIMEOUT = Duration.ofMinutes(10);

    /**
     * Members of the configuration in effect.
     *
     * @param stable whether no change of the configuration is in progress
     * @param strays whether the leader still sends to a peer that is no member
     */
    public record Configuration(
            UUID groupId, List<ClusterManager> members, boolean stable, boolean strays) {
        public Configuration {
            members = List.copyOf(members);
        }
    }

    private final MapGroupConfig config;
    private final GroupFolder folder;
    private final MapListener listener;
    private final RaftProperties properties;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong nextCallId = new AtomicLong(1);
    private final Duration proposalTimeout;
    private final CrashHook<MapCrashPoint> crash;
    private final Optional<TlsEnds> tls;
    private volatile Optional<RunningGroup> running = Optional.empty();
    private volatile boolean caughtUp;

    /**
     * Creates a replica that runs in no group yet.
     *
     * @param listener gets the events of the groups in which this replica runs
     * @param proposalTimeout after which a proposal fails with an unknown outcome
     * @param crash called at each crash point
     * @param tls of the connections between managers; empty for plain text
     */
    public MapGroup(
            MapGroupConfig config,
            MapListener listener,
            Duration proposalTimeout,
            CrashHook<MapCrashPoint> crash,
            Optional<TlsEnds> tls) {
        this(config, listener, proposalTimeout, MapGroupProperties.of(config), crash, tls);
    }

    MapGroup(
            MapGroupConfig config,
            MapListener listener,
            Duration proposalTimeout,
            RaftProperties properties,
            CrashHook<MapCrashPoint> crash,
            Optional<TlsEnds> tls) {
        // Otherwise Ratis would end the process when its address is taken, which a library must not
        // do.
        ExitUtils.disableSystemExit();
        this.crash = crash;
        this.config = config;
        this.folder = new GroupFolder(config);
        this.listener = listener;
        this.proposalTimeout = proposalTimeout;
        this.properties = properties;
        this.tls = tls;
    }

    /** Returns whether the folder holds a log of this group. */
    public boolean hasLog(UUID groupId) {
        return folder.hasLog(groupId);
    }

    /** Moves the log of the former group aside. A log that was moved aside earlier is deleted. */
    public void forget() throws IOException {
        folder.forget();
    }

    /**
     * Restores the map from disk and joins the group. The listener learns of leadership later.
     *
     * @param self this manager, with the incarnation of its data folder
     * @param members voters, unless the log says otherwise; if none, the replica waits without a
     *     vote for a leader that adds it
     * @param onFailure called at most once with the cause if this replica can never go on
     * @throws IOException if the folder cannot be read or the address cannot be bound
     */
    public void begin(
            UUID groupId,
            ClusterManager self,
            List<ClusterManager> members,
            Consumer<Throwable> onFailure)
            throws IOException {
        if (running.isPresent()) {
            throw new IllegalStateException("group: begun (expected: not yet)");
        }
        LogFolder log = folder.mended(groupId);
        RaftGroupId id = RaftGroupId.valueOf(groupId);
        LogWriters.watch();
        RaftPeerId peerId = GroupPeers.id(self);
        MapStateMachine machine = new MapStateMachine(peerId, listener, crash, log);
        VoteGuard votes = votes();
        RaftServer server =
                RaftServer.newBuilder()
                        .setServerId(peerId)
                        .setGroup(RaftGroup.valueOf(id, GroupPeers.of(members)))
                        .setStateMachine(machine)
                        .setOption(RaftStorage.StartupOption.RECOVER)
                        .setProperties(properties)
                        .setParameters(
                                new GuardedRpcType.Setup(
                                                new GroupStartGate(),
                                                calls(machine),
                                                votes,
                                                UnaryOperator.identity(),
                                                GuardedRpcType.Appenders.PLAIN,
                                                tls)
                                        .parameters())
                        .build();
        try {
            server.start();
            RaftLinks links =
                    RaftLinks.watch(server, config.electionTimeoutMax(), System::nanoTime);
            Elections elections =
                    Elections.watch(server, votes, "manager-elections", System::nanoTime);
            running =
                    Optional.of(
                            new RunningGroup(
                                    id, server, machine, server.getDivision(id), links, elections));
        } catch (IOException | RuntimeException e) {
            machine.closing();
            try {
                server.close();
            } catch (IOException | RuntimeException suppressed) {
                e.addSuppressed(suppressed);
            }
            // Ratis does not report which file it could not read, nor the position.
            log.requireWhole();
            // Ratis starts its parts on threads and wraps their exceptions.
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw e;
        }
        machine.failure().thenAccept(onFailure);
    }

    private MemberCalls calls(MapStateMachine machine) {
        return new MemberCalls(
                MapGroupProperties.logs(config),
                (folder, told) -> new VoteFile(folder).keep(told),
                this::reached,
                machine::failed,
                MemberCalls.VoteGate.open());
    }

    /** Managers do not read under leases, so no vote has to wait. */
    private static VoteGuard votes() {
        return VoteGuard.withoutLeases(new AppendConnections(System::nanoTime), System::nanoTime);
    }

    private void reached(MemberMoment moment) {
        MapCrashPoint.of(moment).ifPresent(crash::reached);
    }

    /** Leaves the group. Everything that was answered is on disk. */
    public void end() throws IOException {
        Optional<RunningGroup> ended = running;
        if (ended.isPresent()) {
            running = Optional.empty();
            caughtUp = false;
            ended.get().elections().close();
            ended.get().links().close();
            ended.get().machine().closing();
            RaftServer server = ended.get().server();
            try (LogWriters.Waking waking =
                    LogWriters.wake(List.of(ended.get().division().getMemberId()))) {
                server.close();
            }
            listener.following();
        }
    }

    /**
     * Proposes a command to the group. The future completes on a thread of the group, which must
     * not be blocked. It fails with a {@link ProposalException} if there is no outcome.
     */
    public CompletableFuture<MapOutcome> propose(MapCommand command) {
        Optional<RunningGroup> group = running;
        if (group.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new ProposalException("proposal not accepted: this manager is in no group"));
        }
        byte[] entry = MapCommandCodec.encode(command, map().featureLevel());
        RaftClientRequest request =
                RaftClientRequest.newBuilder()
                        .setClientId(clientId)
                        .setServerId(group.get().server().getId())
                        .setGroupId(group.get().groupId())
                        .setCallId(nextCallId.getAndIncrement())
                        .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
                        .setType(RaftClientRequest.writeRequestType())
                        .build();
        CompletableFuture<RaftClientReply> reply;
        try {
            // On the division itself, because the way through the server costs a thread switch and
            // a blocked thread.
            reply =
                    ((RaftClientAsynchronousProtocol) group.get().division())
                            .submitClientRequestAsync(request);
            crash.reached(MapCrashPoint.MAP_AFTER_APPEND);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(
                    new ProposalException("proposal not accepted", e));
        }
        // A copy, because Ratis completes its own future however late.
        return reply.copy()
                .orTimeout(proposalTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .handle(MapGroup::outcome);
    }

    private static MapOutcome outcome(RaftClientReply reply, Throwable failure) {
        if (failure != null) {
            throw new CompletionException(
                    new ProposalException("proposal without an answer", failure));
        }
        if (!reply.isSuccess()) {
            throw new CompletionException(
                    new ProposalException("proposal refused", reply.getException()));
        }
        return ((OutcomeMessage) reply.getMessage()).outcome();
    }

    /** Returns the map as applied here; empty while this manager is in no group. */
    public ClusterMap map() {
        return running.map(group -> group.machine().map()).orElse(ClusterMap.EMPTY);
    }

    /** Returns the service address of the leading manager; empty if not known here. */
    public Optional<String> leaderAddress() {
        return running.flatMap(
                group -> {
                    Optional<RaftPeerId> leader = group.leaderId();
                    return members(group).stream()
                            .filter(each -> leader.equals(Optional.of(GroupPeers.id(each))))
                            .map(ClusterManager::serviceAddress)
                            .findFirst();
                });
    }

    /** Returns whether a leader is known, this manager or another one. */
    public boolean knowsLeader() {
        return running.flatMap(RunningGroup::leaderId).isPresent();
    }

    /**
     * Returns the configuration in effect, as far as known here; empty while this manager is in no
     * group.
     */
    public Optional<Configuration> configuration() {
        return running.map(
                group ->
                        new Configuration(
                                group.groupId().getUuid(),
                                members(group),
                                group.isStable(),
                                group.hasStrays()));
    }

    private List<ClusterManager> members(RunningGroup group) {
        return group.members().stream().map(this::withServiceAddress).toList();
    }

    /**
     * A configuration from before service addresses were part of it takes them from the settings.
     */
    private ClusterManager withServiceAddress(ClusterManager member) {
        return member.serviceAddress().isEmpty()
                ? config.members().stream()
                        .filter(seed -> seed.nodeId().equals(member.nodeId()))
                        .findFirst()
                        .map(ManagerMember::manager)
                        .map(seed -> seed.withIncarnation(member.incarnation()))
                        .orElse(member)
                : member;
    }

    /** Returns the time since the leader, which this manager must be, heard each other member. */
    public Map<NodeId, Duration> silences() {
        return running.map(RunningGroup::silences).orElse(Map.of());
    }

    /** Returns whether a member with this silence counts as healthy. */
    public boolean isHealthy(Duration silence) {
        return silence.compareTo(config.healthySilenceMax()) < 0;
    }

    /**
     * Changes the group's members by compare-and-set. One member may be added or removed at a time.
     * A new member gets the log first. The future fails if there is no outcome, or nothing was
     * changed.
     */
    public CompletableFuture<Void> reconfigure(
            List<ClusterManager> expected, List<ClusterManager> members) {
        Optional<RunningGroup> group = running;
        if (group.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new ProposalException("members not changed: this manager is in no group"));
        }
        SetConfigurationRequest.Arguments arguments =
                SetConfigurationRequest.Arguments.newBuilder()
                        .setServersInCurrentConf(GroupPeers.of(expected))
                        .setServersInNewConf(GroupPeers.of(members))
                        .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                        .build();
        try {
            return group.get()
                    .server()
                    .setConfigurationAsync(
                            new SetConfigurationRequest(
                                    clientId,
                                    group.get().server().getId(),
                                    group.get().groupId(),
                                    nextCallId.getAndIncrement(),
                                    arguments))
                    .copy()
                    .orTimeout(CHANGE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .thenAccept(MapGroup::requireSuccess);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(new ProposalException("members not changed", e));
        }
    }

    private static void requireSuccess(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new CompletionException(
                    new ProposalException("members not changed", reply.getException()));
        }
    }

    /** Returns what this replica lacks to show all decisions; empty if nothing. */
    public Optional<String> missing() {
        Optional<RunningGroup> group = running;
        if (group.isEmpty()) {
            return Optional.of("this partition manager is in no group");
        }
        RaftServer.Division division = group.get().division();
        if (group.get().leaderId().isEmpty()) {
            return Optional.of("no partition manager is known to lead");
        }
        if (!caughtUp) {
            long committed = division.getRaftLog().getLastCommittedIndex();
            long applied = division.getInfo().getLastAppliedIndex();
            // Catching up once suffices. Later the replica is always behind by the entries in
            // flight.
            caughtUp = committed >= 0 && applied >= committed;
        }
        return caughtUp ? Optional.empty() : Optional.of("the map is being restored");
    }

    /**
     * Transfers leadership, if this manager leads, to the member that answered last. Blocks at most
     * for twice the given time. If the transfer fails, the others elect a leader once this manager
     * is gone.
     */
    public void handOver(Duration timeout) {
        try {
            transferLeadership(timeout).get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.info(
                    "leadership not handed over, the others elect a leader reason={}",
                    e instanceof ExecutionException ? e.getCause().toString() : e.toString());
        }
    }

    /** Transfers leadership, if this manager leads and there are other members. */
    public CompletableFuture<Void> transferLeadership(Duration timeout) {
        Optional<RunningGroup> group = running;
        Optional<RaftPeerId> successor = group.flatMap(RunningGroup::successor);
        return successor.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : transferLeadership(group.get(), successor.get(), timeout);
    }

    /** Transfers leadership to the manager {@code to}, if it is a member. */
    public CompletableFuture<Void> transferLeadership(NodeId to, Duration timeout) {
        Optional<RunningGroup> group = running;
        Optional<RaftPeerId> successor =
                group.flatMap(
                        it ->
                                it.members().stream()
                                        .filter(each -> each.nodeId().equals(to))
                                        .map(GroupPeers::id)
                                        .findFirst());
        return successor.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : transferLeadership(group.get(), successor.get(), timeout);
    }

    private CompletableFuture<Void> transferLeadership(
            RunningGroup group, RaftPeerId successor, Duration timeout) {
        TransferLeadershipRequest request =
                new TransferLeadershipRequest(
                        clientId,
                        group.server().getId(),
                        group.groupId(),
                        nextCallId.getAndIncrement(),
                        successor,
                        timeout.toMillis());
        try {
            return FailedTransfer.forgotten(
                            group.server().getDivision(group.groupId()),
                            group.server().transferLeadershipAsync(request))
                    .thenAccept(
                            reply ->
                                    LOG.info(
                                            "leadership handed over successor={} success={}",
                                            successor,
                                            reply.isSuccess()));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void close() throws IOException {
        end();
    }
}

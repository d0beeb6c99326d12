package io.parterre.manager.raft;

import io.parterre.crash.CrashHook;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapCommandCodec;
import io.parterre.manager.map.MapOutcome;
import io.parterre.raftlog.LogFolder;
import io.parterre.raftlog.VoteFile;
import io.parterre.range.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.ExitUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This manager's replica of the map: proposes commands, shows what was applied. Safe for any
 * thread.
 */
public final class MapGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MapGroup.class);
    private static final RaftGroupId GROUP_ID =
            RaftGroupId.valueOf(new UUID(0x7061727465727265L, 0L));

    private final MapGroupConfig config;
    private final RaftServer server;
    private final MapStateMachine machine;
    private final RaftServer.Division division;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong nextCallId = new AtomicLong(1);
    private final Duration proposalTimeout;
    private final CrashHook<MapCrashPoint> crash;
    private volatile boolean caughtUp;

    private MapGroup(
            MapGroupConfig config,
            RaftServer server,
            MapStateMachine machine,
            Duration proposalTimeout,
            CrashHook<MapCrashPoint> crash)
            throws IOException {
        this.crash = crash;
        this.config = config;
        this.server = server;
        this.machine = machine;
        this.division = server.getDivision(GROUP_ID);
        this.proposalTimeout = proposalTimeout;
    }

    /**
     * Restores the map from disk and joins the group; leadership is told to the listener later.
     *
     * @param proposalTimeout after which a proposal is given up as of unknown outcome
     * @throws IOException if the folder cannot be read or the address not be bound
     */
    public static MapGroup start(
            MapGroupConfig config, MapListener listener, Duration proposalTimeout)
            throws IOException {
        return start(config, listener, proposalTimeout, CrashHook.none());
    }

    /** Tells of the moments it passes. */
    public static MapGroup start(
            MapGroupConfig config,
            MapListener listener,
            Duration proposalTimeout,
            CrashHook<MapCrashPoint> crash)
            throws IOException {
        return start(config, listener, proposalTimeout, MapGroupProperties.of(config), crash);
    }

    static MapGroup start(
            MapGroupConfig config,
            MapListener listener,
            Duration proposalTimeout,
            RaftProperties properties,
            CrashHook<MapCrashPoint> crash)
            throws IOException {
        // Ratis would end the process when its address is taken; that is not for a library to do.
        ExitUtils.disableSystemExit();
        Files.createDirectories(config.dataDirectory());
        LogFolder log = log(config);
        mend(log);
        RaftPeerId self = peerId(config.nodeId());
        MapStateMachine machine = new MapStateMachine(self, listener, crash);
        RaftConfigKeys.Rpc.setType(properties, new MapRpcType());
        RaftServer server =
                RaftServer.newBuilder()
                        .setServerId(self)
                        .setGroup(RaftGroup.valueOf(GROUP_ID, peers(config.members())))
                        .setStateMachine(machine)
                        .setOption(RaftStorage.StartupOption.RECOVER)
                        .setProperties(properties)
                        .setParameters(
                                MapRpcType.parameters(
                                        new MemberCalls(log.path(), crash, machine::failed)))
                        .build();
        try {
            server.start();
            return new MapGroup(config, server, machine, proposalTimeout, crash);
        } catch (IOException | RuntimeException e) {
            machine.closing();
            try {
                server.close();
            } catch (IOException | RuntimeException suppressed) {
                e.addSuppressed(suppressed);
            }
            // Ratis does not say which file it could not read, nor where.
            log.requireWhole();
            // Ratis starts its parts on threads and wraps what they throw.
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static LogFolder log(MapGroupConfig config) {
        return new LogFolder(
                MapGroupProperties.logs(config)
                        .resolve(GROUP_ID.getUuid().toString())
                        .resolve("current"));
    }

    /** A write that was cut short was acknowledged to nobody, and a vote neither. */
    private static void mend(LogFolder log) throws IOException {
        if (new VoteFile(log.path()).restore()) {
            LOG.warn("vote that could not be written replaced by the last");
        }
        log.mend()
                .ifPresent(
                        cut ->
                                LOG.warn(
                                        "unfinished write at the end of the log cut off file={}"
                                                + " offset={} cutBytes={}",
                                        cut.file(),
                                        cut.offset(),
                                        cut.bytes()));
    }

    private static List<RaftPeer> peers(List<ManagerMember> members) {
        return members.stream()
                .map(
                        member ->
                                RaftPeer.newBuilder()
                                        .setId(peerId(member.nodeId()))
                                        .setAddress(member.raftAddress())
                                        .build())
                .toList();
    }

    private static RaftPeerId peerId(NodeId nodeId) {
        return RaftPeerId.valueOf(nodeId.value());
    }

    /**
     * Offers a command to the group. The stage completes on a thread of the group, which must not
     * be held up; it fails with a {@link ProposalException} when there is no outcome.
     */
    public CompletableFuture<MapOutcome> propose(MapCommand command) {
        byte[] entry = MapCommandCodec.encode(command);
        RaftClientRequest request =
                RaftClientRequest.newBuilder()
                        .setClientId(clientId)
                        .setServerId(server.getId())
                        .setGroupId(GROUP_ID)
                        .setCallId(nextCallId.getAndIncrement())
                        .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
                        .setType(RaftClientRequest.writeRequestType())
                        .build();
        CompletableFuture<RaftClientReply> reply;
        try {
            // On the division itself: through the server it would cost a hop and a blocked thread.
            reply = ((RaftClientAsynchronousProtocol) division).submitClientRequestAsync(request);
            crash.reached(MapCrashPoint.MAP_AFTER_APPEND);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(
                    new ProposalException("proposal not accepted", e));
        }
        // A copy: Ratis completes its own future itself, however late.
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

    /** The map as far as it is applied here. */
    public ClusterMap map() {
        return machine.map();
    }

    /** Service address of the manager that leads, as far as it is known here. */
    public Optional<String> leaderAddress() {
        RaftPeerId leader = division.getInfo().getLeaderId();
        return config.members().stream()
                .filter(member -> peerId(member.nodeId()).equals(leader))
                .map(ManagerMember::serviceAddress)
                .findFirst();
    }

    /** What this replica lacks to tell what was decided; empty: nothing. */
    public Optional<String> missing() {
        if (division.getInfo().getLeaderId() == null) {
            return Optional.of("no partition manager is known to lead");
        }
        if (!caughtUp) {
            long committed = division.getRaftLog().getLastCommittedIndex();
            long applied = division.getInfo().getLastAppliedIndex();
            // Once is enough: later it is as far behind as its next entry.
            caughtUp = committed >= 0 && applied >= committed;
        }
        return caughtUp ? Optional.empty() : Optional.of("the map is being restored");
    }

    /**
     * Has another manager lead, if this one does: the one that answered last. Blocks until it does,
     * at most for the time given; without success the others elect one when this one is gone.
     */
    public void handOver(Duration timeout) {
        Optional<RaftPeerId> successor = successor();
        if (successor.isEmpty()) {
            return;
        }
        TransferLeadershipRequest request =
                new TransferLeadershipRequest(
                        clientId,
                        server.getId(),
                        GROUP_ID,
                        nextCallId.getAndIncrement(),
                        successor.get(),
                        timeout.toMillis());
        try {
            RaftClientReply reply =
                    server.transferLeadershipAsync(request)
                            .get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS);
            LOG.info(
                    "lead handed over successor={} success={}", successor.get(), reply.isSuccess());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException | ExecutionException | TimeoutException e) {
            LOG.info("lead not handed over, the others elect a leader", e);
        }
    }

    private Optional<RaftPeerId> successor() {
        if (!division.getInfo().isLeader()) {
            return Optional.empty();
        }
        return division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
                .min(Comparator.comparingLong(ServerRpcProto::getLastRpcElapsedTimeMs))
                .map(follower -> RaftPeerId.valueOf(follower.getId().getId()));
    }

    /** Completes, with the cause, if this replica can never go on; the process has to end then. */
    public CompletableFuture<Throwable> failure() {
        return machine.failure();
    }

    @Override
    public void close() throws IOException {
        machine.closing();
        server.close();
    }
}

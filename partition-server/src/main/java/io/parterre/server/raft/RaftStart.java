package io.parterre.server.raft;

import io.parterre.concurrent.Alarm;
import io.parterre.crash.CrashHook;
import io.parterre.raftlink.AppendConnections;
import io.parterre.raftlink.EntryRoom;
import io.parterre.raftlink.GroupStartGate;
import io.parterre.raftlink.GuardedRpcType;
import io.parterre.raftlink.HeardAppends;
import io.parterre.raftlink.MemberCalls;
import io.parterre.raftlink.VoteGuard;
import io.parterre.raftlog.VoteFile;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.log.LogBufferRoom;
import io.parterre.server.log.LogMemory;
import io.parterre.server.store.StoreFailure;
import io.parterre.tls.TlsEnds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.segmented.LogWriters;
import org.apache.ratis.util.ExitUtils;

/**
 * Starts the node's Raft server, with the checks that calls of other members pass on their way into
 * it. May run again after a start has failed.
 *
 * @param logs folder of the Raft logs; the server starts with every group whose log is there
 * @param tls encryption of the connections between nodes; empty for plain text
 * @param replicas finds replicas of this node
 * @param entryRoom limits the entries that followers still take
 * @param votes holds back votes in groups that the start has found
 * @param memory heap for the logs
 * @param room memory for the logs of groups that are added
 * @param onFailure called when the disk does not take a vote
 */
public record RaftStart(
        RaftConfig config,
        NodeId self,
        Path logs,
        Optional<TlsEnds> tls,
        Function<RangeId, Optional<Replica>> replicas,
        EntryRoom entryRoom,
        VoteQuarantine votes,
        LogMemory memory,
        LogBufferRoom room,
        LongSupplier nanoTicker,
        Alarm alarm,
        CrashHook<CrashPoint> crash,
        Consumer<StoreFailure> onFailure) {
    static {
        // Ratis would make a JMX bean of each of its metrics, a hundred for each group, and a write
        // that waits for the child of a split would wait for that too. Nothing reads them.
        MetricRegistries.global().addReporterRegistration(registry -> {}, registry -> {});
        LogWriters.watch();
    }

    /**
     * Starts the server, which reads all logs.
     *
     * @throws IOException if the server cannot start
     */
    public RaftHost run() throws IOException {
        // Ratis would end the process if its address is in use, which is not for a library to do.
        ExitUtils.disableSystemExit();
        GroupStartGate gate = new GroupStartGate();
        VoteGuard guard =
                new VoteGuard(
                        RaftSettings.leases(config),
                        config.electionTimeoutMin(),
                        new AppendConnections(nanoTicker),
                        nanoTicker,
                        alarm);
        RaftServer server =
                RaftServer.newBuilder()
                        .setServerId(RaftPeerId.valueOf(self.value()))
                        .setStateMachineRegistry(this::stateMachine)
                        .setProperties(RaftSettings.of(config, memory, logs))
                        .setParameters(
                                new GuardedRpcType.Setup(
                                                gate,
                                                calls(),
                                                guard,
                                                appends()::watched,
                                                GuardedRpcType.Appenders.TRACKING,
                                                tls)
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
        return new RaftHost(server, config, room, gate, guard, nanoTicker, alarm);
    }

    private ReplicaStateMachine stateMachine(RaftGroupId groupId) {
        return replica(groupId)
                .map(Replica::stateMachine)
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "group " + groupId + " is no replica of this node"));
    }

    private Optional<Replica> replica(RaftGroupId groupId) {
        return replicas.apply(RangeId.ofGroupId(groupId.getUuid()));
    }

    /** Watches what leaders send to this node. */
    private HeardAppends appends() {
        return new HeardAppends(this::heard, entryRoom, nanoTicker, alarm);
    }

    private void heard(RaftGroupId groupId, long atNanos, long term, long committedIndex) {
        replica(groupId)
                .map(Replica::reads)
                .ifPresent(reads -> reads.catchUp().heard(atNanos, term, committedIndex));
    }

    /** Answers calls of the other members. */
    private MemberCalls calls() {
        return new MemberCalls(
                logs,
                (folder, told) -> new VoteFile(folder).keep(told),
                moment -> crash.reached(CrashPoint.of(moment)),
                failure -> onFailure.accept(new StoreFailure("vote of raft group", failure)),
                votes);
    }
}

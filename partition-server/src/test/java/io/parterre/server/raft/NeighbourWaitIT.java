package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.crash.CrashHook;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Absorb;
import io.parterre.proto.range.Command;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.clock.LeaseClock;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.command.Member;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.log.LogMemory;
import io.parterre.server.log.LogShare;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.propose.EntryWriter;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.ReplicaRows;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreConfig;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A range that takes in its neighbour on a node that has just been started, or is to end. */
@Timeout(60)
final class NeighbourWaitIT {
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final NodeId SELF = new NodeId("a");
    private static final HostedRange LEFT = range(1, new KeyRange(Key.FIRST, Key.wrap(bytes(50))));
    private static final HostedRange RIGHT = range(2, new KeyRange(Key.wrap(bytes(50)), Key.LAST));
    private static final RangeDescriptor FROZEN =
            RIGHT.descriptor().frozen(LEFT.descriptor().rangeId(), Generation.FIRST);

    @TempDir Path folder;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final PartitionServerMetrics metrics =
            new PartitionServerMetrics(new SimpleMeterRegistry());
    private final Map<RangeId, Replica> replicas = new ConcurrentHashMap<>();
    private final List<StoreFailure> failures = new ArrayList<>();
    private final List<String> copies = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private volatile boolean closing;
    private ServerStore store;

    private static byte[] bytes(int value) {
        return new byte[] {(byte) value};
    }

    private static HostedRange range(long id, KeyRange bounds) {
        return new HostedRange(
                new RangeDescriptor(new RangeId(id), bounds, Generation.FIRST, List.of(SELF)),
                List.of(new Member(SELF, "a:1", "a:2")));
    }

    @BeforeEach
    void open() throws IOException {
        store =
                ServerStore.open(
                        folder,
                        StoreConfig.DEFAULT,
                        scheduler,
                        System::nanoTime,
                        metrics,
                        failures::add);
    }

    @AfterEach
    void stop() {
        store.abandon();
        scheduler.shutdownNow();
    }

    private NeighbourWait neighbours(long nanosPerLook, int looks) {
        AtomicLong left = new AtomicLong(looks);
        return new NeighbourWait(
                rangeId -> Optional.ofNullable(replicas.get(rangeId)),
                Duration.ofSeconds(30),
                () -> nanos.addAndGet(nanosPerLook),
                () -> closing || left.decrementAndGet() < 0);
    }

    private Replica add(HostedRange range, Neighbourhood neighbourhood) {
        Replica replica =
                new Replica(
                        range,
                        stateMachine(range, neighbourhood),
                        RaftPeerId.valueOf(SELF.value()),
                        ClientId.randomId(),
                        new AtomicLong(),
                        RaftConfig.DEFAULT,
                        new EntryWriter(new ClusterLevel(FeatureLevel.FIRST), new Random(1)),
                        scheduler,
                        InstantSource.system(),
                        new LeaseClock(
                                InstantSource.system(), System::nanoTime, Duration.ofSeconds(1)),
                        CrashHook.none());
        replicas.put(range.descriptor().rangeId(), replica);
        return replica;
    }

    private ReplicaStateMachine stateMachine(HostedRange range, Neighbourhood neighbourhood) {
        ReplicaRows.keep(store, range, ReplicaPhase.FOUNDED);
        return new ReplicaStateMachine(
                new AppliedRows(
                        range,
                        store,
                        SELF,
                        neighbourhood,
                        ApplyRoomTest.ample(),
                        new ApplyMarks(Path.of("none")),
                        CrashHook.none()),
                RaftConfig.DEFAULT,
                new LogShare(LogMemory.ofHeap(1L << 30), () -> 1),
                store,
                metrics,
                System::nanoTime,
                null,
                null,
                null,
                new CopiesOnly(),
                failures::add,
                () -> {},
                CrashHook.none());
    }

    /** Nothing else is decided about replicas here. */
    private final class CopiesOnly implements Setbacks {
        @Override
        public boolean needsCopy(RangeId rangeId, String why) {
            return copies.add(why);
        }

        @Override
        public boolean quarantine(RangeId rangeId, AppliedPosition entry, Throwable failure) {
            return false;
        }

        @Override
        public Set<AppliedPosition> passedOver(RangeId rangeId) {
            return Set.of();
        }
    }

    private static HostedRange frozen() {
        return new HostedRange(FROZEN, RIGHT.members());
    }

    private static TransactionContext absorb(ReplicaStateMachine stateMachine) {
        Command command =
                Command.newBuilder()
                        .setSenderId(1)
                        .setSequence(1)
                        .setAbsorb(
                                Absorb.newBuilder()
                                        .setGeneration(3)
                                        .setLeftGeneration(1)
                                        .setRight(DescriptorCodec.toProto(FROZEN))
                                        .setFreezeIndex(7))
                        .build();
        return TransactionContext.newBuilder()
                .setStateMachine(stateMachine)
                .setServerRole(RaftPeerRole.FOLLOWER)
                .setLogEntry(
                        LogEntryProto.newBuilder()
                                .setTerm(1)
                                .setIndex(5)
                                .setStateMachineLogEntry(
                                        StateMachineLogEntryProto.newBuilder()
                                                .setLogData(
                                                        ByteString.copyFrom(
                                                                LogEntryCodec.encode(
                                                                        1, List.of(command)))))
                                .build())
                .build();
    }

    @Test
    void frozenNeighbourIsReturned_whileNodeCloses() {
        add(frozen(), new NoNeighbours());
        closing = true;
        assertThat(neighbours(1, 100).await(FROZEN, 7).range()).isEqualTo(frozen());
    }

    /** What the ticker says when it has been looked at a hundred times is hours. */
    @Test
    void absorbWaitsForNeighbour_untilNodeClosesOrReplicaIsDamaged() {
        Replica right = add(RIGHT, new NoNeighbours());
        assertThatExceptionOfType(CancellationException.class)
                .as("until the node closes")
                .isThrownBy(() -> neighbours(MINUTE_NANOS, 100).await(FROZEN, 7));
        right.standing().damaged("log");
        assertThatExceptionOfType(NoNeighbourException.class)
                .isThrownBy(() -> neighbours(MINUTE_NANOS, 100).await(FROZEN, 7));
    }

    @Test
    void absorbWaitIsCancelled_whenReplicaIsLeaving() {
        add(RIGHT, new NoNeighbours());
        Replica left = add(LEFT, new NoNeighbours());
        left.leaving();
        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(() -> neighbours(1, Integer.MAX_VALUE).await(FROZEN, 7));
    }

    /** Ratis's updater would neither end nor go on after an exception while it is stopped. */
    @Test
    void applyIsSkippedWithoutFailure_whenAbsorbIsCancelled() {
        ReplicaStateMachine left =
                stateMachine(
                        LEFT, new NodeNeighbours(new CancellationException("the node closes")));
        left.serving();
        assertThat(left.applyTransaction(absorb(left))).isCompletedWithValue(Message.EMPTY);
        left.notifyTermIndexUpdated(1, 6);
        assertThat(left.rows().applied()).isEqualTo(AppliedPosition.NONE);
        assertThat(failures).isEmpty();
    }

    @Test
    void snapshotIsRequested_whenServingReplicaMissesNeighbour() {
        ReplicaStateMachine left =
                stateMachine(LEFT, new NodeNeighbours(new NoNeighbourException("none")));
        left.ending();
        assertThat(left.applyTransaction(absorb(left))).isCompletedWithValue(Message.EMPTY);
        assertThat(copies).isEmpty();

        ReplicaStateMachine serving =
                stateMachine(LEFT, new NodeNeighbours(new NoNeighbourException("none")));
        serving.serving();
        assertThat(applied(serving)).isCompletedWithValue(Message.EMPTY);
        assertThat(serving.rows().applied()).isEqualTo(AppliedPosition.NONE);
        assertThat(copies).containsExactly("none");
        assertThat(serving.hasStopped()).isTrue();
    }

    private static CompletableFuture<Message> applied(ReplicaStateMachine stateMachine) {
        return stateMachine.applyTransaction(absorb(stateMachine));
    }

    /** Has no neighbour, for a reason. */
    private record NodeNeighbours(RuntimeException why) implements Neighbourhood {
        @Override
        public void childCreated(HostedRange child) {}

        @Override
        public FrozenRange frozen(RangeDescriptor right, long freezeIndex) {
            throw why;
        }

        @Override
        public void absorbed(RangeId rangeId) {}
    }
}

package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.crash.CrashHook;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Absorb;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.SetMembers;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.NotFrozenYetException;
import io.parterre.server.clock.LeaseClock;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.command.Member;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.log.LogMemory;
import io.parterre.server.log.LogShare;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.propose.EntryWriter;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.ApplyRoomTest;
import io.parterre.server.replica.IdleNode;
import io.parterre.server.replica.NeighbourWatch;
import io.parterre.server.replica.Neighbourhood;
import io.parterre.server.replica.PendingSplits;
import io.parterre.server.replica.RangeChangeReporter;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreConfig;
import io.parterre.server.store.StoreFailure;
import io.parterre.server.store.TestStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.MetadataProto;
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

/** A range that absorbs its neighbour on a node that has just been started, or is to end. */
@Timeout(60)
final class DeferredApplyIT {
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final NodeId SELF = new NodeId("a");
    private static final HostedRange LEFT = range(1, new KeyRange(Key.FIRST, Key.wrap(bytes(50))));
    private static final HostedRange RIGHT = range(2, new KeyRange(Key.wrap(bytes(50)), Key.LAST));
    private static final LogShare SHARE = new LogShare(LogMemory.ofHeap(1L << 30), () -> 1);
    private static final RangeDescriptor FROZEN =
            RIGHT.descriptor().frozen(LEFT.descriptor().rangeId(), Generation.FIRST);

    @TempDir Path folder;

    private final TestStore storage = new TestStore();
    private final PartitionServerMetrics metrics =
            new PartitionServerMetrics(new SimpleMeterRegistry());
    private final Map<RangeId, Replica> replicas = new ConcurrentHashMap<>();
    private final List<String> copies = new ArrayList<>();
    private final QueuedTasks tasks = new QueuedTasks();
    private final List<Runnable> alarms = new ArrayList<>();
    private final Map<Long, LogEntryProto> log = new ConcurrentHashMap<>();
    private final NeighbourWatch watch =
            new NeighbourWatch(
                    new NeighbourSight(rangeId -> Optional.ofNullable(this.replicas.get(rangeId))),
                    () -> this.nanos,
                    () -> this.closing,
                    tasks,
                    (delay, task) -> {
                        alarms.add(task);
                        return () -> alarms.remove(task);
                    });
    private final Neighbourhood node = new Node();
    private long nanos;
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
        store = storage.open(folder, StoreConfig.DEFAULT, metrics);
    }

    @AfterEach
    void stop() {
        store.abandon();
        storage.close();
    }

    /** Rings, and has the replicas look that wait. */
    private void look() {
        List<Runnable> due = List.copyOf(alarms);
        alarms.clear();
        due.forEach(Runnable::run);
        tasks.run();
    }

    private Replica add(HostedRange range) {
        Replica replica =
                new Replica(
                        range,
                        stateMachine(range),
                        RaftPeerId.valueOf(SELF.value()),
                        ClientId.randomId(),
                        new AtomicLong(),
                        RaftConfig.DEFAULT,
                        new EntryWriter(new ClusterLevel(FeatureLevel.FIRST), new Random(1)),
                        storage.scheduler(),
                        InstantSource.system(),
                        System::nanoTime,
                        new LeaseClock(
                                InstantSource.system(),
                                System::nanoTime,
                                Duration.ofSeconds(1),
                                Duration.ofMillis(50)),
                        CrashHook.none());
        replicas.put(range.descriptor().rangeId(), replica);
        return replica;
    }

    private AppliedRows rows(HostedRange range) {
        StoredReplica.keep(store, range, ReplicaPhase.FOUNDED);
        return new AppliedRows(
                range,
                store,
                SELF,
                node,
                ApplyRoomTest.ample(),
                new ApplyMarks(Path.of("none")),
                CrashHook.none());
    }

    private ReplicaStateMachine stateMachine(HostedRange range) {
        return new ReplicaStateMachine(
                rows(range),
                RaftConfig.DEFAULT,
                SHARE,
                store,
                metrics,
                System::nanoTime,
                watch,
                new Actions(),
                CrashHook.none());
    }

    /** Notes copies and failures. */
    private final class Actions extends IdleNode {
        @Override
        public void failed(StoreFailure failure) {
            storage.failures().add(failure);
        }

        @Override
        public boolean needsCopy(RangeId rangeId, String why) {
            return copies.add(why);
        }
    }

    private static HostedRange frozen() {
        return new HostedRange(FROZEN, RIGHT.members());
    }

    private static Command.Builder absorb() {
        return Command.newBuilder()
                .setSequence(1)
                .setAbsorb(
                        Absorb.newBuilder()
                                .setGeneration(3)
                                .setLeftGeneration(1)
                                .setRight(DescriptorCodec.toProto(FROZEN))
                                .setFreezeIndex(7));
    }

    private static LogEntryProto logged(long index, Command.Builder command) {
        return LogEntryProto.newBuilder()
                .setTerm(1)
                .setIndex(index)
                .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder()
                                .setLogData(
                                        ByteString.copyFrom(
                                                LogEntryCodec.encode(
                                                        1,
                                                        List.of(command.setSenderId(1).build())))))
                .build();
    }

    /** Ratis hands the entry over. */
    private static void hand(ReplicaStateMachine replica, LogEntryProto logged) {
        assertThat(
                        replica.applyTransaction(
                                TransactionContext.newBuilder()
                                        .setStateMachine(replica)
                                        .setServerRole(RaftPeerRole.FOLLOWER)
                                        .setLogEntry(logged)
                                        .build()))
                .isCompletedWithValue(Message.EMPTY);
    }

    /** A replica with a log of its own, and no group. */
    private DeferredEntries entries(AppliedRows rows, ReplicaGroup group) {
        RangeId rangeId = rows.range().descriptor().rangeId();
        EntryApplier applier =
                new EntryApplier(
                        rows,
                        group,
                        new LogDisposal(
                                rows,
                                group,
                                store,
                                RaftConfig.DEFAULT,
                                SHARE,
                                System::nanoTime,
                                CrashHook.none()),
                        new PendingSplits(),
                        new RangeChangeReporter(rangeId, new Actions(), watch, CrashHook.none()),
                        new Actions(),
                        position -> {},
                        metrics,
                        System::nanoTime,
                        CrashHook.none());
        return new DeferredEntries(rangeId, group, applier, log::get, watch, () -> {});
    }

    private void hand(DeferredEntries entries, LogEntryProto logged) {
        log.put(logged.getIndex(), logged);
        entries.apply(logged, Optional.empty());
    }

    private ReplicaGroup group() {
        return new ReplicaGroup(
                LEFT.descriptor().rangeId(),
                new CompletableFuture<>(),
                System::nanoTime,
                storage.failures()::add);
    }

    @Test
    void frozenNeighbourIsAbsorbed_whileNodeCloses() {
        add(frozen());
        closing = true;
        AppliedRows left = rows(LEFT);
        hand(entries(left, group()), logged(5, absorb()));
        assertThat(left.range().descriptor().bounds()).isEqualTo(KeyRange.ALL);
        assertThat(left.applied()).isEqualTo(new AppliedPosition(1, 5));
    }

    /** The entry after the absorption has an effect at the generation that this makes alone. */
    @Test
    void deferredEntriesFollowAbsorbInOrder_onceNeighbourIsFrozen() {
        add(RIGHT);
        AppliedRows left = rows(LEFT);
        DeferredEntries entries = entries(left, group());
        hand(entries, logged(5, absorb()));
        hand(
                entries,
                logged(
                        6,
                        Command.newBuilder()
                                .setSequence(2)
                                .setSetMembers(
                                        SetMembers.newBuilder()
                                                .setGeneration(4)
                                                .addMembers(
                                                        io.parterre.proto.range.Member.newBuilder()
                                                                .setNodeId(SELF.value())
                                                                .setRaftAddress("b:1")
                                                                .setServiceAddress("b:2")))));
        log.put(
                7L,
                LogEntryProto.newBuilder()
                        .setTerm(1)
                        .setIndex(7)
                        .setMetadataEntry(MetadataProto.getDefaultInstance())
                        .build());
        entries.pass(new AppliedPosition(1, 7));
        tasks.run();
        look();
        assertThat(left.applied()).isEqualTo(AppliedPosition.NONE);
        assertThat(left.range()).isEqualTo(LEFT);

        add(frozen());
        watch.changed(FROZEN);
        tasks.run();
        assertThat(left.range().descriptor().bounds()).isEqualTo(KeyRange.ALL);
        assertThat(left.range().descriptor().generation()).isEqualTo(new Generation(4));
        assertThat(left.range().members()).containsExactly(new Member(SELF, "b:1", "b:2"));
        assertThat(left.applied()).isEqualTo(new AppliedPosition(1, 7));
        assertThat(entries.isDeferred()).isFalse();
    }

    /** The thread that Ratis applies on is this test's. */
    @Test
    void otherRangesAreApplied_whileReplicaWaitsForNeighbour() {
        add(RIGHT);
        ReplicaStateMachine left = add(LEFT).stateMachine();
        left.group().started();
        hand(left, logged(5, absorb()));
        left.notifyTermIndexUpdated(1, 6);
        tasks.run();
        assertThat(left.deferred().isDeferred()).isTrue();
        assertThat(left.getLastAppliedTermIndex().getIndex()).isEqualTo(-1);

        ReplicaStateMachine right = replicas.get(FROZEN.rangeId()).stateMachine();
        right.notifyTermIndexUpdated(1, 6);
        assertThat(right.getLastAppliedTermIndex().getIndex()).isEqualTo(6);

        left.ending();
        left.close();
        assertThat(left.deferred().isDeferred()).isFalse();
        assertThat(storage.failures()).isEmpty();
    }

    @Test
    void absorbWaitsForNeighbour_untilNodeCloses() {
        add(RIGHT);
        ReplicaStateMachine left = waiting();
        for (int i = 0; i < 100; i++) {
            nanos += MINUTE_NANOS;
            look();
        }
        assertThat(left.group().hasStopped()).isFalse();
        closing = true;
        look();
        assertThat(left.group().hasStopped()).isTrue();
        assertThat(copies).isEmpty();
    }

    @Test
    void absorbWaitsForNeighbour_untilThatIsDamaged() {
        Replica right = add(RIGHT);
        ReplicaStateMachine left = waiting();
        nanos += MINUTE_NANOS;
        look();
        right.standing().damaged("log");
        nanos += MINUTE_NANOS;
        look();
        assertThat(left.group().hasStopped()).isTrue();
        assertThat(copies).hasSize(1);
    }

    private ReplicaStateMachine waiting() {
        ReplicaStateMachine left = add(LEFT).stateMachine();
        left.group().started();
        hand(left, logged(5, absorb()));
        assertThat(left.deferred().isDeferred()).isTrue();
        tasks.run();
        return left;
    }

    @Test
    void absorbWaitEndsAtOnce_whenReplicaIsLeaving() {
        add(RIGHT);
        ReplicaStateMachine left = waiting();
        replicas.get(LEFT.descriptor().rangeId()).leaving();
        tasks.run();
        assertThat(left.group().hasStopped()).isTrue();
        assertThat(copies).isEmpty();
    }

    /** Ratis's updater would neither end nor go on after an exception while it is stopped. */
    @Test
    void applyIsSkippedWithoutFailure_whenAbsorbIsCancelled() {
        add(RIGHT);
        ReplicaStateMachine left = waiting();
        closing = true;
        look();
        left.notifyTermIndexUpdated(1, 6);
        assertThat(left.rows().applied()).isEqualTo(AppliedPosition.NONE);
        assertThat(storage.failures()).isEmpty();
    }

    @Test
    void snapshotIsRequested_whenServingReplicaMissesNeighbour() {
        ReplicaStateMachine left = add(LEFT).stateMachine();
        left.ending();
        hand(left, logged(5, absorb()));
        tasks.run();
        assertThat(copies).isEmpty();

        ReplicaStateMachine serving = waiting();
        assertThat(serving.rows().applied()).isEqualTo(AppliedPosition.NONE);
        assertThat(copies).hasSize(1).first().asString().contains("none (expected: frozen)");
        assertThat(serving.group().hasStopped()).isTrue();
    }

    /** What replicas of the node see of each other. */
    private final class Node implements Neighbourhood {
        @Override
        public void childCreated(HostedRange child) {}

        @Override
        public FrozenRange frozen(RangeDescriptor right, long freezeIndex) {
            return Optional.ofNullable(replicas.get(right.rangeId()))
                    .flatMap(replica -> replica.rows().frozen(right))
                    .orElseThrow(() -> new NotFrozenYetException(right, freezeIndex));
        }

        @Override
        public void absorbed(RangeId rangeId) {}
    }
}

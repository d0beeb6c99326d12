package io.parterre.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.FenceScope;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.clock.FenceAges;
import io.parterre.server.command.Member;
import io.parterre.server.lead.OwnCommands;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.log.LogBufferRoom;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.propose.ProposalResult;
import io.parterre.server.quarantine.HeldLogs;
import io.parterre.server.raft.Replica;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.DamagedArchive;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.raftlog.segmented.IdleLogWriter;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas over a store and Raft logs on disk, without a service. */
final class ReplicasIT {
    private static final NodeId NODE = new NodeId("node-1");
    private static final RangeDescriptor WHOLE =
            new RangeDescriptor(new RangeId(1), KeyRange.ALL, Generation.FIRST, List.of(NODE));
    private static final RaftGroupId GROUP_ID = RaftGroupId.valueOf(WHOLE.rangeId().groupId());

    @TempDir Path folder;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final BlockingQueue<StoreFailure> failures = new LinkedBlockingQueue<>();

    /** How far the node's ticker is ahead. */
    private final AtomicLong laterNanos = new AtomicLong();

    @AfterEach
    void stopScheduler() {
        scheduler.shutdownNow();
    }

    private SoleNode node() {
        return new SoleNode(NODE, folder, scheduler, failures::add)
                .withTime(InstantSource.system(), () -> System.nanoTime() + laterNanos.get());
    }

    private ServerStore openStore(PartitionServerMetrics metrics) throws Exception {
        return node().openStore(metrics);
    }

    private Replicas host(ServerStore store, PartitionServerMetrics metrics) throws Exception {
        Replicas replicas = started(store, metrics);
        replicas.membership().host(whole(replicas));
        return replicas;
    }

    private static HostedRange whole(Replicas replicas) {
        return new HostedRange(WHOLE, List.of(new Member(NODE, replicas.raftAddress(), "")));
    }

    /** With a member that is not there, so that nobody is elected. */
    private static HostedRange leaderless(Replicas replicas) {
        NodeId absent = new NodeId("node-2");
        return new HostedRange(
                new RangeDescriptor(
                        WHOLE.rangeId(), KeyRange.ALL, Generation.FIRST, List.of(NODE, absent)),
                List.of(
                        new Member(NODE, replicas.raftAddress(), ""),
                        new Member(absent, "127.0.0.1:1", "")));
    }

    private Replicas started(ServerStore store, PartitionServerMetrics metrics) throws Exception {
        return node().start(store, metrics);
    }

    /** A release that does not know the note of it would apply the entry after all. */
    @Test
    void entryIsNotSkipped_belowTheFeatureLevelForIt() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        ClusterLevel level = new ClusterLevel(FeatureLevel.FIRST);
        try (ServerStore store = openStore(metrics);
                Replicas replicas = node().withLevel(level).start(store, metrics)) {
            replicas.membership().host(whole(replicas));
            AppliedPosition entry = new AppliedPosition(1, 1_000);
            assertThat(replicas.entries().skip(WHOLE.rangeId(), entry).refusal())
                    .contains("feature level is 1");
            assertThat(replicas.entries().look(WHOLE.rangeId()).skipped()).isEmpty();
            level.raise(FeatureLevel.NEWEST);
            assertThat(replicas.entries().skip(WHOLE.rangeId(), entry).skipped())
                    .containsExactly(entry);
        }
    }

    @Test
    void nodeReportsFailure_whenRaftGroupEndsUnexpectedly() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        try (ServerStore store = openStore(metrics);
                Replicas replicas = host(store, metrics)) {
            Replica replica = replicas.find(WHOLE.rangeId()).orElseThrow();
            Awaitility.await().until(() -> replica.isLeading());
            // As Ratis does when it ends a group. Ending all of a group at once would make threads
            // of Ratis that still run throw, perhaps during another test.
            replica.stateMachine().close();

            StoreFailure failure = failures.poll(60, TimeUnit.SECONDS);
            assertThat(failure).isNotNull();
            assertThat(failure.operation()).isEqualTo("raft group of range 1");
        }
    }

    @Test
    void leaderForgetsFence_tenMinutesAfterItsTableWasDeleted() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        Key scope = KeyCodec.scope(Scope.ofTable(new AccountId(7), new ObjectId(11)));
        OwnCommands commands = new OwnCommands(1);
        ClusterLevel level = new ClusterLevel(FeatureLevel.FIRST);
        try (ServerStore store = openStore(metrics);
                Replicas replicas = node().withLevel(level).start(store, metrics)) {
            replicas.membership().host(whole(replicas));
            Replica replica = replicas.find(WHOLE.rangeId()).orElseThrow();
            Awaitility.await().until(() -> replica.isLeading());
            CompletableFuture<ProposalResult> fenced = new CompletableFuture<>();
            commands.propose(
                    replica,
                    commands.named(
                            Command.newBuilder()
                                    .setFenceScope(
                                            FenceScope.newBuilder()
                                                    .setScope(
                                                            ByteString.copyFrom(scope.toBytes())))),
                    fenced::complete);
            assertThat(fenced.get(60, TimeUnit.SECONDS)).isInstanceOf(ProposalResult.Applied.class);
            level.raise(FeatureLevel.NEWEST);
            replicas.upkeep().forgetFences();
            assertThat(replica.rows().fences()).containsExactly(scope);

            laterNanos.set(FenceAges.KEPT_FOR.toNanos());
            replicas.upkeep().forgetFences();
            Awaitility.await().until(() -> replica.rows().fences().isEmpty());
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void nodeReportsFailure_whenRaftServerEndsUnexpectedly() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        try (ServerStore store = openStore(metrics);
                Replicas replicas = started(store, metrics)) {
            replicas.upkeep().watchRaft();
            assertThat(failures).isEmpty();
            // As Ratis does after a pause beyond its threshold.
            replicas.host().server().close();

            replicas.upkeep().watchRaft();

            assertThat(failures.poll(60, TimeUnit.SECONDS).operation())
                    .isEqualTo("raft server of node node-1");
        }
    }

    @Test
    void nodeReportsNoFailure_whenRaftServerIsClosed() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        try (ServerStore store = openStore(metrics)) {
            Replicas replicas = started(store, metrics);
            replicas.close();

            replicas.upkeep().watchRaft();
        }
        assertThat(failures).isEmpty();
    }

    /** Else each would wait until Ratis looks by itself, which is once a second. */
    @Test
    void logWriterIsWoken_whileItsGroupIsRemoved() throws Exception {
        assertWritersWoken(replicas -> replicas.host().remove(WHOLE.rangeId(), true));
    }

    @Test
    void logWriterIsWoken_whileNodeCloses() throws Exception {
        assertWritersWoken(Replicas::close);
    }

    private interface Ending {
        void of(Replicas replicas) throws IOException;
    }

    /** One group in many ends before anybody needs waking: several are tried. */
    private void assertWritersWoken(Ending ending) throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        RaftGroupMemberId member =
                RaftGroupMemberId.valueOf(RaftPeerId.valueOf(NODE.value()), GROUP_ID);
        Path all = folder;
        boolean woken = false;
        for (int round = 0; round < 10 && !woken; round++) {
            folder = Files.createDirectories(all.resolve("round-" + round));
            try (ServerStore store = openStore(metrics);
                    Replicas replicas = started(store, metrics);
                    IdleLogWriter writer = new IdleLogWriter(member)) {
                replicas.membership().host(leaderless(replicas));
                ending.of(replicas);
                woken = writer.isWoken();
            }
        }
        assertThat(woken).isTrue();
    }

    /** Of a range that is to go on here alone. Refused before anything is changed. */
    @Test
    void recoveryIsRejectedAndReplicaKept_whenSuccessorDoesNotFit() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        try (ServerStore store = openStore(metrics);
                Replicas replicas = host(store, metrics)) {
            Replica replica = replicas.find(WHOLE.rangeId()).orElseThrow();
            Awaitility.await().until(() -> replica.isLeading());
            RangeId next = new RangeId(2);
            Key middle = Key.wrap(new byte[] {1});
            refused(replicas, new RangeId(9), successor(replicas, KeyRange.ALL, NODE))
                    .withMessageContaining("no usable replica of range 9");
            refused(
                            replicas,
                            WHOLE.rangeId(),
                            successor(replicas, KeyRange.ALL, new NodeId("node-2")))
                    .withMessageContaining("its successor is not for node node-1 alone");
            assertThat(replica.damage()).isEmpty();
            refused(
                            replicas,
                            WHOLE.rangeId(),
                            successor(replicas, new KeyRange(KeyRange.ALL.start(), middle), NODE))
                    .withMessageContaining("it has other bounds");

            assertThat(replica.damage()).as("what the manager hears").isPresent();
            assertThat(replicas.find(next)).isEmpty();
            assertThat(replica.hasGroup()).isTrue();
            assertThat(replica.isLeading()).isTrue();
            assertThat(failures).isEmpty();
        }
    }

    private static ThrowableAssertAlternative<IOException> refused(
            Replicas replicas, RangeId lostId, HostedRange successor) {
        return assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> replicas.recovery().recover(lostId, successor));
    }

    private static HostedRange successor(Replicas replicas, KeyRange bounds, NodeId member) {
        return new HostedRange(
                new RangeDescriptor(
                        new RangeId(2), bounds, Generation.FIRST.next(), List.of(member)),
                List.of(new Member(member, replicas.raftAddress(), "")));
    }

    @Test
    void nodeReportsNoFailure_whenRaftGroupIsClosed() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        try (ServerStore store = openStore(metrics)) {
            host(store, metrics).close();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void interruptedReplicaRemovalCompletes_afterRestart() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        try (ServerStore store = openStore(metrics)) {
            try (Replicas replicas = host(store, metrics)) {
                Replica replica = replicas.find(WHOLE.rangeId()).orElseThrow();
                Awaitility.await().until(() -> replica.isLeading());
                StoredReplica.mark(store, WHOLE.rangeId(), ReplicaPhase.REMOVING);
            }
            try (Replicas replicas = started(store, metrics)) {
                assertThat(replicas.all()).isEmpty();
                assertThat(store.localRows().ranges()).isEmpty();
                try (var logs = Files.list(folder.resolve("raft"))) {
                    assertThat(logs).isEmpty();
                }
                // And there is room for another.
                replicas.membership().host(whole(replicas));
                assertThat(replicas.find(WHOLE.rangeId())).isPresent();
            }
        }
    }

    @Test
    void replicaIsKept_whenRemovalGenerationIsNotLater() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        try (ServerStore store = openStore(metrics);
                Replicas replicas = started(store, metrics)) {
            RangeDescriptor later =
                    new RangeDescriptor(
                            WHOLE.rangeId(), KeyRange.ALL, new Generation(5), List.of(NODE));
            replicas.membership()
                    .host(
                            new HostedRange(
                                    later, List.of(new Member(NODE, replicas.raftAddress(), ""))));

            assertThat(replicas.membership().remove(WHOLE.rangeId(), new Generation(4))).isFalse();
            assertThatExceptionOfType(IOException.class)
                    .as("it is a member at that one")
                    .isThrownBy(
                            () -> replicas.membership().remove(WHOLE.rangeId(), new Generation(5)));
            assertThat(replicas.find(WHOLE.rangeId())).isPresent();
            assertThat(replicas.membership().remove(WHOLE.rangeId(), new Generation(6))).isTrue();
            assertThat(replicas.all()).isEmpty();
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void raftGroupIsRestored_whenReplicaHasLostIt() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        try (ServerStore store = openStore(metrics);
                Replicas replicas = host(store, metrics)) {
            Replica replica = replicas.find(WHOLE.rangeId()).orElseThrow();
            Awaitility.await().until(replica::isLeading);
            // As when the group could not be added again.
            replica.leaving();
            assertThat(replica.isLeading()).isFalse();

            replicas.upkeep().mend();
            Awaitility.await().until(replica::isLeading);
            assertThat(failures).isEmpty();
        }
    }

    /** All of the real memory is taken by {@code LogBufferMemoryIT}. */
    @Test
    void replicaCreationFails_untilLogBufferMemoryIsFree() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        AtomicBoolean full = new AtomicBoolean(true);
        LogBufferRoom room =
                new LogBufferRoom(
                        () -> full.get() ? 64 << 20 : 0,
                        () -> 64 << 20,
                        bytes -> {
                            throw new OutOfMemoryError("all is taken");
                        });
        try (ServerStore store = openStore(metrics);
                Replicas replicas = node().withRoom(room).start(store, metrics)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> replicas.membership().host(whole(replicas)))
                    .withMessageContaining("no memory for the log of another replica");

            full.set(false);
            replicas.membership().host(whole(replicas));
            Replica replica = replicas.find(WHOLE.rangeId()).orElseThrow();
            Awaitility.await().until(replica::isLeading);
            assertThat(failures).isEmpty();
        }
    }

    /** As when a node closes while it starts the child of a split. */
    @Test
    void logFolderIsUnlocked_whenNodeClosesWhileGroupIsAdded() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        LogBufferRoom interrupting =
                new LogBufferRoom(
                        () -> {
                            // Just before Ratis is asked to add the group.
                            Thread.currentThread().interrupt();
                            return 0;
                        },
                        () -> Long.MAX_VALUE,
                        bytes -> ByteBuffer.allocate(0));
        try (ServerStore store = openStore(metrics)) {
            try (Replicas closed = node().withRoom(interrupting).start(store, metrics)) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> closed.membership().host(whole(closed)))
                        .withMessageContaining("interrupted");
                assertThat(Thread.interrupted()).isTrue();
            }
            try (Replicas again = started(store, metrics)) {
                Awaitility.await().until(() -> again.find(WHOLE.rangeId()).isPresent());
                assertThat(failures).isEmpty();
            }
        }
    }

    /** It would begin with an empty log and no vote: nothing of it was flushed. */
    @Test
    void startIsRejected_whenLogIsQuarantinedAndRebuildIsOff() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        ServerStore killed = openStore(metrics);
        try (Replicas replicas = host(killed, metrics)) {
            Replica replica = replicas.find(WHOLE.rangeId()).orElseThrow();
            Awaitility.await().until(() -> replica.appliedIndex() == 11);
        }
        killed.abandon();
        new HeldLogs(folder.resolve("raft"), new DamagedArchive(folder.resolve("aside")))
                .hold(WHOLE.rangeId(), "a bit flipped");

        try (ServerStore store = openStore(metrics)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> started(store, metrics))
                    .withMessageContaining("a bit flipped")
                    .withMessageContaining("server.damage.rebuild: true");
        }
        try (var logs = Files.list(folder.resolve("raft"))) {
            assertThat(logs).as("the log is still there").hasSize(1);
        }
    }
}

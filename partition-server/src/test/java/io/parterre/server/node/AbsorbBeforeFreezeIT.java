package io.parterre.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Absorb;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.FenceScope;
import io.parterre.proto.range.Freeze;
import io.parterre.proto.range.SetMembers;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.Member;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lead.OwnCommands;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.propose.ProposalResult;
import io.parterre.server.raft.Replica;
import io.parterre.server.read.ReadGate;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A range whose log absorbs its neighbour before that is frozen on this node, in real groups. */
@Timeout(120)
final class AbsorbBeforeFreezeIT {
    private static final NodeId NODE = new NodeId("node-1");
    private static final Key MIDDLE =
            KeyCodec.scope(Scope.ofTable(new AccountId(7), new ObjectId(10)));
    private static final RangeDescriptor LEFT =
            new RangeDescriptor(
                    new RangeId(1),
                    new KeyRange(Key.FIRST, MIDDLE),
                    Generation.FIRST,
                    List.of(NODE));
    private static final RangeDescriptor RIGHT =
            new RangeDescriptor(
                    new RangeId(2),
                    new KeyRange(MIDDLE, Key.LAST),
                    Generation.FIRST,
                    List.of(NODE));
    private static final Key SCOPE =
            KeyCodec.scope(Scope.ofTable(new AccountId(7), new ObjectId(11)));

    @TempDir Path folder;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final BlockingQueue<StoreFailure> failures = new LinkedBlockingQueue<>();
    private final OwnCommands commands = new OwnCommands(1);

    /** Of another sender: a later name of the same one makes a command of the left settled. */
    private final OwnCommands rightCommands = new OwnCommands(2);

    private ServerStore store;

    /** Held while entries are to wait for being applied. */
    private volatile CountDownLatch applying = new CountDownLatch(0);

    private Replicas replicas;

    @BeforeEach
    void start() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        SoleNode node =
                new SoleNode(NODE, folder, scheduler, failures::add).withCrash(this::beforeStep);
        store = node.openStore(metrics);
        replicas = node.start(store, metrics);
        host(LEFT);
        host(RIGHT);
    }

    @AfterEach
    void stop() {
        replicas.close();
        store.close();
        scheduler.shutdownNow();
    }

    private void host(RangeDescriptor range) throws IOException {
        replicas.membership()
                .host(
                        new HostedRange(
                                range, List.of(new Member(NODE, replicas.raftAddress(), ""))));
        Awaitility.await().until(() -> replica(range).isLeading());
    }

    private Replica replica(RangeDescriptor range) {
        return replicas.find(range.rangeId()).orElseThrow();
    }

    private CompletableFuture<ProposalResult> proposed(
            RangeDescriptor range, Command.Builder command) {
        CompletableFuture<ProposalResult> result = new CompletableFuture<>();
        OwnCommands sender = range.equals(RIGHT) ? rightCommands : commands;
        sender.propose(replica(range), sender.named(command), result::complete);
        return result;
    }

    private void beforeStep(CrashPoint step) {
        if (step != CrashPoint.BEFORE_APPLY) {
            return;
        }
        try {
            applying.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletableFuture<ProposalResult> absorb() {
        CompletableFuture<ProposalResult> absorbed = proposedAbsorb();
        awaitDeferred();
        return absorbed;
    }

    private void awaitDeferred() {
        Awaitility.await().until(() -> replica(LEFT).stateMachine().deferred().isDeferred());
    }

    private CompletableFuture<ProposalResult> proposedAbsorb() {
        RangeDescriptor frozen = RIGHT.frozen(LEFT.rangeId(), LEFT.generation());
        return proposed(
                LEFT,
                Command.newBuilder()
                        .setAbsorb(
                                Absorb.newBuilder()
                                        .setGeneration(3)
                                        .setLeftGeneration(1)
                                        .setRight(DescriptorCodec.toProto(frozen))
                                        .setFreezeIndex(1_000_000)));
    }

    private static Outcome outcome(CompletableFuture<ProposalResult> result) throws Exception {
        ProposalResult ended = result.get(60, TimeUnit.SECONDS);
        assertThat(ended).isInstanceOf(ProposalResult.Applied.class);
        return ((ProposalResult.Applied) ended).outcome();
    }

    @Test
    void proposersGetOutcomesInOrder_onceNeighbourFreezes() throws Exception {
        // A replica that has deferred an entry takes no proposal: both come before.
        applying = new CountDownLatch(1);
        CompletableFuture<ProposalResult> absorbed = proposedAbsorb();
        CompletableFuture<ProposalResult> members =
                proposed(
                        LEFT,
                        Command.newBuilder()
                                .setSetMembers(
                                        SetMembers.newBuilder()
                                                .setGeneration(4)
                                                .addMembers(
                                                        io.parterre.proto.range.Member.newBuilder()
                                                                .setNodeId(NODE.value())
                                                                .setRaftAddress("b:1")
                                                                .setServiceAddress("b:2"))));
        applying.countDown();
        awaitDeferred();
        long before = replica(LEFT).appliedIndex();
        assertThat(replica(LEFT).isLeading()).isFalse();
        assertThat(replica(LEFT).reads().gate(OptionalLong.empty())).isNotEqualTo(ReadGate.OPEN);
        Outcome fenced =
                outcome(
                        proposed(
                                RIGHT,
                                Command.newBuilder()
                                        .setFenceScope(
                                                FenceScope.newBuilder()
                                                        .setScope(
                                                                ByteString.copyFrom(
                                                                        SCOPE.toBytes())))));
        assertThat(fenced).isInstanceOf(Outcome.Fenced.class);
        assertThat(replica(RIGHT).rows().isFenced(SCOPE)).isTrue();
        assertThat(absorbed).isNotDone();
        assertThat(members).isNotDone();
        assertThat(replica(LEFT).appliedIndex()).isEqualTo(before);

        outcome(
                proposed(
                        RIGHT,
                        Command.newBuilder()
                                .setFreeze(
                                        Freeze.newBuilder()
                                                .setGeneration(2)
                                                .setLeftRangeId(1)
                                                .setLeftGeneration(1))));
        assertThat(outcome(absorbed)).isEqualTo(new Outcome.RangeAbsorbed(new Generation(3), true));
        assertThat(outcome(members)).isEqualTo(new Outcome.MembersSet(new Generation(4)));
        assertThat(replica(LEFT).descriptor().bounds()).isEqualTo(KeyRange.ALL);
        assertThat(replica(LEFT).rows().fences()).contains(SCOPE);
        Awaitility.await().until(() -> replica(LEFT).isLeading());
        assertThat(failures).isEmpty();
    }

    /** A wait of Ratis's thread would hold the close up until the neighbour is given up. */
    @Test
    @Timeout(25)
    void groupClosesAtOnce_whileReplicaWaitsForNeighbour() throws Exception {
        CompletableFuture<ProposalResult> absorbed = absorb();
        // Without the replica being told that it is to end.
        replicas.host().remove(LEFT.rangeId(), false);
        assertThat(absorbed.get(20, TimeUnit.SECONDS)).isInstanceOf(ProposalResult.InDoubt.class);
        assertThat(failures.poll(20, TimeUnit.SECONDS).operation())
                .isEqualTo("raft group of range 1");
        assertThat(replica(RIGHT).isLeading()).isTrue();
    }
}

package io.parterre.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Ticks;
import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.WriteEntities;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Outcome;
import io.parterre.server.clock.ClockResetDecision;
import io.parterre.server.clock.ClockTrust;
import io.parterre.server.command.Member;
import io.parterre.server.lead.OwnCommands;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.propose.ProposalResult;
import io.parterre.server.raft.Replica;
import io.parterre.server.rows.StoredDigest;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of a range whose leader's clock said that it was years later. */
@Timeout(240)
final class ClockResetIT {
    private static final RangeId RANGE = new RangeId(1);
    private static final Duration YEARS = Duration.ofDays(9 * 365);
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));

    @TempDir Path folder;

    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
    private final BlockingQueue<StoreFailure> failures = new LinkedBlockingQueue<>();
    private final List<Node> nodes = new ArrayList<>();
    private final OwnCommands commands = new OwnCommands(1);
    private ClusterLevel level = new ClusterLevel(FeatureLevel.NEWEST);

    /** What has passed besides the time that the machine has seen pass, by all clocks. */
    private final AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);

    /** How far the wall clock is ahead. */
    private final AtomicReference<Duration> wrong = new AtomicReference<>(Duration.ZERO);

    private record Node(ServerStore store, Replicas replicas) {
        Replica replica() {
            return replicas.find(RANGE).orElseThrow();
        }

        Instant time() {
            return Ticks.toInstant(replica().rows().time().nowTicks());
        }
    }

    @AfterEach
    void close() {
        for (Node node : nodes) {
            node.replicas().close();
            node.store().close();
        }
        scheduler.shutdownNow();
        assertThat(failures).isEmpty();
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    /** By a clock that is right. */
    private Instant now() {
        return Instant.now().plus(passed.get());
    }

    private void start(int count) throws Exception {
        List<Member> members = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            NodeId self = new NodeId("node-" + i);
            Path own = Files.createDirectories(folder.resolve(self.value()));
            PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
            SoleNode node =
                    new SoleNode(self, own, scheduler, failures::add)
                            .withTime(
                                    () -> now().plus(wrong.get()),
                                    () -> System.nanoTime() + passed.get().toNanos())
                            .withLevel(level);
            ServerStore store = node.openStore(metrics);
            Replicas replicas = node.start(store, metrics);
            nodes.add(new Node(store, replicas));
            members.add(new Member(self, replicas.raftAddress(), ""));
        }
        RangeDescriptor whole =
                new RangeDescriptor(
                        RANGE,
                        KeyRange.ALL,
                        Generation.FIRST,
                        members.stream().map(Member::nodeId).toList());
        for (Node node : nodes) {
            node.replicas().membership().host(new HostedRange(whole, members));
        }
    }

    /** Time of a new entity, on any leader. */
    private Instant write() {
        EntityOperation.Builder operation =
                EntityOperation.newBuilder()
                        .setKind(EntityOperation.Kind.INSERT_OR_REPLACE)
                        .setKey(ByteString.copyFrom(KeyCodec.entity(TABLE, "p", "r").toBytes()))
                        .setBlock(ByteString.copyFrom(EntityCodec.encodeBlock(List.of())));
        WriteEntities.Builder batch =
                WriteEntities.newBuilder()
                        .addOperations(operation)
                        .setEntityBytesMax(1 << 20)
                        .setPropertiesMax(252);
        return await().until(() -> written(batch), Optional::isPresent).orElseThrow();
    }

    private Optional<Instant> written(WriteEntities.Builder batch) throws Exception {
        for (Node node : nodes) {
            if (node.replica().isLeading()) {
                CompletableFuture<ProposalResult> end = new CompletableFuture<>();
                commands.propose(
                        node.replica(),
                        commands.named(Command.newBuilder().setWriteEntities(batch)),
                        end::complete);
                if (!(end.get(60, TimeUnit.SECONDS) instanceof ProposalResult.Applied applied)) {
                    return Optional.empty();
                }
                if (applied.outcome() instanceof Outcome.Written done) {
                    return Optional.of(Ticks.toInstant(done.timestampTicks()[0]));
                }
            }
        }
        return Optional.empty();
    }

    /** Has the range written to by a clock that is years ahead, and is right again after. */
    private void poison() {
        wrong.set(YEARS);
        assertAhead();
        wrong.set(Duration.ZERO);
        assertAhead();
    }

    private void assertAhead() {
        assertThat(write()).isAfter(now().plus(YEARS).minus(Duration.ofHours(2)));
    }

    /** As a server does now and then. */
    private void look(ClockTrust trust) {
        nodes.forEach(node -> node.replicas().upkeep().resetClocks(trust));
    }

    private void pass(Duration time) {
        passed.accumulateAndGet(time, Duration::plus);
    }

    private void awaitPresent(ClockTrust trust) {
        await().until(
                        () -> {
                            look(trust);
                            return write().isBefore(now().plus(Duration.ofMinutes(1)));
                        });
    }

    @Test
    void newWritesArePresentOnAllMembers_afterClockIsSetRight() throws Exception {
        start(3);
        poison();
        look(ClockTrust.AGREES);
        pass(ClockResetDecision.PATIENCE.minusSeconds(60));
        look(ClockTrust.AGREES);
        assertAhead();
        Duration led =
                nodes.stream()
                        .map(node -> node.replicas().upkeep().timeAhead())
                        .reduce((a, b) -> a.compareTo(b) > 0 ? a : b)
                        .orElseThrow();
        assertThat(led).isBetween(YEARS.minusHours(2), YEARS);

        pass(Duration.ofSeconds(61));
        awaitPresent(ClockTrust.AGREES);

        assertThat(write()).isAfter(now().minus(Duration.ofMinutes(1)));
        await().untilAsserted(
                        () -> {
                            assertThat(nodes.stream().map(Node::time).distinct().toList())
                                    .hasSize(1)
                                    .allMatch(time -> time.isBefore(now().plusSeconds(60)));
                            List<StoredDigest> digests = new ArrayList<>();
                            for (Node node : nodes) {
                                digests.add(StoredDigest.of(node.store(), RANGE));
                            }
                            assertThat(digests.stream().distinct().toList()).hasSize(1);
                        });
        nodes.forEach(
                node ->
                        assertThat(node.replicas().upkeep().timeAhead())
                                .isLessThan(Duration.ofMinutes(1)));
    }

    @Test
    void clockIsNotReset_belowTheFeatureLevelForIt() throws Exception {
        level = new ClusterLevel(new FeatureLevel(2));
        start(1);
        poison();
        look(ClockTrust.AGREES);
        pass(ClockResetDecision.PATIENCE);
        look(ClockTrust.AGREES);
        assertAhead();

        level.raise(FeatureLevel.NEWEST);
        look(ClockTrust.AGREES);
        pass(ClockResetDecision.PATIENCE);
        awaitPresent(ClockTrust.AGREES);
    }

    @Test
    void clockIsNotReset_whileNodesOwnClockDiffers() throws Exception {
        start(1);
        poison();
        look(ClockTrust.DIFFERS);
        pass(ClockResetDecision.PATIENCE_ALONE);
        look(ClockTrust.DIFFERS);
        assertAhead();

        look(ClockTrust.AGREES);
        assertAhead();
        pass(ClockResetDecision.PATIENCE);
        awaitPresent(ClockTrust.AGREES);
    }

    @Test
    void clockIsResetAfterOneHour_whenNodesClockIsUnjudged() throws Exception {
        start(1);
        poison();
        look(ClockTrust.UNJUDGED);
        pass(ClockResetDecision.PATIENCE);
        look(ClockTrust.UNJUDGED);
        assertAhead();

        pass(ClockResetDecision.PATIENCE_ALONE);
        awaitPresent(ClockTrust.UNJUDGED);
    }

    /** It may be set to the wrong time: the wait begins again. */
    @Test
    void clockIsNotReset_untilNodesClockIsSteady() throws Exception {
        start(1);
        poison();
        look(ClockTrust.AGREES);
        wrong.set(Duration.ofDays(-30));
        pass(ClockResetDecision.PATIENCE);
        look(ClockTrust.AGREES);
        assertAhead();

        wrong.set(Duration.ZERO);
        look(ClockTrust.AGREES);
        assertAhead();
        pass(ClockResetDecision.PATIENCE);
        awaitPresent(ClockTrust.AGREES);
    }
}

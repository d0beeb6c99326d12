package io.parterre.server;

import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.proto.node.EntryStep;
import io.parterre.proto.node.LogPosition;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.RecoverEntryRequest;
import io.parterre.proto.node.RecoverEntryResponse;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.crash.CrashPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A committed entry that some members of a range, or all, cannot apply; another range goes on. */
@Timeout(240)
final class UnappliedEntryIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final List<String> TWO = List.of("node-1", "node-2");
    private static final RangeId RANGE = TestCluster.RANGE;
    private static final RangeId OTHER = new RangeId(2);
    private static final Key SPLIT_POINT = KeyCodec.partition(Commands.TABLE, "m");

    /** A write that ends in doubt. */
    private static final Key DOUBTFUL = Commands.key("a", "doubtful");

    @TempDir Path folder;
    private final Map<String, UnappliableEntry> hooks = new HashMap<>();

    /** Writes to "a" are of the one range, and writes to "x" of the other. */
    private TestCluster cluster(Optional<CrashPoint> crashOfThird) throws Exception {
        TestCluster cluster = TestCluster.in(folder).founded();
        for (String node : THREE) {
            hooks.put(
                    node,
                    new UnappliableEntry(
                            RANGE, node.equals("node-3") ? crashOfThird : Optional.empty()));
            cluster.start(node, hooks.get(node));
        }
        cluster.awaitLeader();
        cluster.manager.split(RANGE, 1, Commands.bytes(SPLIT_POINT), OTHER);
        await().until(
                        () ->
                                THREE.stream()
                                        .allMatch(
                                                node ->
                                                        cluster.reports
                                                                .replica(node, OTHER)
                                                                .isPresent()));
        cluster.lead("node-1", 2);
        return cluster;
    }

    private static boolean isQuarantined(TestCluster cluster, String node) {
        return cluster.reports
                .replica(node, RANGE)
                .filter(each -> each.getState() == ReplicaState.DAMAGED)
                .filter(each -> each.getDamage().contains("could not be applied"))
                .isPresent();
    }

    private static RecoverEntryResponse step(
            TestCluster cluster, String node, EntryStep step, LogPosition entry) {
        return NodeServiceGrpc.newBlockingStub(cluster.node(node).channel())
                .recoverEntry(
                        RecoverEntryRequest.newBuilder()
                                .setRangeId(RANGE.value())
                                .setStep(step)
                                .setEntry(entry)
                                .build());
    }

    private static RecoverEntryResponse look(TestCluster cluster, String node) {
        return step(cluster, node, EntryStep.SHOW, LogPosition.getDefaultInstance());
    }

    private static void assertRunning(TestCluster cluster) {
        for (RunningServer server : cluster.servers()) {
            assertThat(server.failures).isEmpty();
        }
    }

    private static void restart(TestCluster cluster, String node) throws IOException {
        cluster.kill(node);
        cluster.start(node);
        cluster.awaitKnown(node);
    }

    /** The third member cannot apply the next entry. */
    private void failOnThird(TestCluster cluster, Writes writes) {
        cluster.awaitLevel(THREE);
        hooks.get("node-3").arm();
        writes.write("a");
    }

    @Test
    void memberIsQuarantinedAndRebuilt_whenItAloneCannotApply() throws Exception {
        try (TestCluster cluster = cluster(Optional.empty())) {
            Writes writes = new Writes(cluster);
            writes.write(5);
            failOnThird(cluster, writes);
            await().until(() -> isQuarantined(cluster, "node-3"));
            assertThat(
                            cluster.node("node-3")
                                    .meters
                                    .get("partition_server_quarantined_replicas")
                                    .gauge()
                                    .value())
                    .isEqualTo(1);
            writes.write(5);
            assertRunning(cluster);

            restart(cluster, "node-3");
            await().until(() -> isQuarantined(cluster, "node-3"));
            assertThat(look(cluster, "node-3").getStanding().getReason())
                    .isEqualTo("UnsupportedOperationException: command of a later release");
            // It takes part in the other range: of that, one of the others may go.
            cluster.kill("node-2");
            writes.write("x");
            cluster.start("node-2");
            cluster.awaitKnown("node-2");
            writes.write(5);
            assertRunning(cluster);

            rebuild(cluster);
            writes.write(5);
            writes.assertAllThere();
            cluster.assertSameRows(THREE);
            cluster.lead("node-3", 4);
            writes.assertAllThere();
        }
    }

    /** What the manager does about a damaged replica, in its order. */
    private static void rebuild(TestCluster cluster) throws IOException {
        cluster.change(2, TWO);
        cluster.manager.remove("node-3", 3);
        await().until(() -> cluster.reports.replica("node-3", RANGE).isEmpty());
        cluster.manager.withdrawOrders();
        try (Stream<Path> files = Files.list(cluster.folder("node-3").resolve("raft"))) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .containsExactly(OTHER.groupId().toString());
        }
        try (Stream<Path> kept = Files.list(cluster.folder("node-3").resolve("damaged"))) {
            assertThat(kept).anyMatch(each -> each.toString().endsWith("range-1-log"));
        }
        cluster.manager.join(
                "node-3",
                new RangeDescriptor(
                        RANGE,
                        new KeyRange(Key.FIRST, SPLIT_POINT),
                        new Generation(3),
                        TWO.stream().map(NodeId::new).toList()));
        cluster.awaitJoining("node-3");
        cluster.change(3, THREE);
    }

    @ParameterizedTest
    @EnumSource(
            value = CrashPoint.class,
            names = {"BEFORE_QUARANTINE", "QUARANTINE_MARKED"})
    void memberComesBack_whenItEndsAsItIsQuarantined(CrashPoint moment) throws Exception {
        try (TestCluster cluster = cluster(Optional.of(moment))) {
            Writes writes = new Writes(cluster);
            writes.write(5);
            failOnThird(cluster, writes);
            await().untilTrue(hooks.get("node-3").crashed());
            restart(cluster, "node-3");
            writes.write(5);
            if (moment == CrashPoint.QUARANTINE_MARKED) {
                await().until(() -> isQuarantined(cluster, "node-3"));
                LogPosition entry = look(cluster, "node-3").getStanding().getQuarantinedAt();
                assertThat(step(cluster, "node-3", EntryStep.RESUME, entry).getRefusal()).isEmpty();
            }
            writes.assertAllThere();
            cluster.assertSameRows(THREE);
            assertRunning(cluster);
        }
    }

    /** No member applies the next entry, which nobody hears the end of. */
    private LogPosition failOnAll(TestCluster cluster) {
        cluster.awaitLevel(THREE);
        hooks.values().forEach(UnappliableEntry::arm);
        Thread writer =
                new Thread(
                        () -> {
                            try {
                                cluster.node("node-1")
                                        .client()
                                        .call(
                                                RangeClient.command(
                                                                Commands.insert(
                                                                        1 << 20,
                                                                        "a",
                                                                        "doubtful",
                                                                        "text"))
                                                        .setRangeId(RANGE.value())
                                                        .setGeneration(2));
                            } catch (Exception inDoubt) {
                                assertThat(inDoubt).isNotNull();
                            }
                        },
                        "in-doubt");
        writer.setDaemon(true);
        writer.start();
        // The last one has nobody to tell it that the entry is committed.
        await().until(() -> quarantined(cluster).size() >= 2);
        return look(cluster, quarantined(cluster).get(0)).getStanding().getQuarantinedAt();
    }

    private static List<String> quarantined(TestCluster cluster) {
        return THREE.stream().filter(node -> isQuarantined(cluster, node)).toList();
    }

    private static void restartAll(TestCluster cluster) throws IOException {
        cluster.killAll();
        for (String node : THREE) {
            cluster.start(node);
        }
        THREE.forEach(cluster::awaitKnown);
    }

    private static RangeResponse readDoubtful(TestCluster cluster, String node) throws Exception {
        return cluster.node(node)
                .client()
                .call(
                        RangeClient.read(DOUBTFUL)
                                .setRangeId(RANGE.value())
                                .setGeneration(2)
                                .setTimeLeftMillis(500));
    }

    @Test
    void entryIsApplied_whenAllResumeWithReleaseThatCan() throws Exception {
        try (TestCluster cluster = cluster(Optional.empty())) {
            Writes writes = new Writes(cluster);
            writes.write(5);
            failOnAll(cluster);
            writes.write("x");
            assertThat(readDoubtful(cluster, "node-1").hasNotLeader()).isTrue();
            assertRunning(cluster);

            restartAll(cluster);
            await().until(() -> quarantined(cluster).size() >= 2);
            writes.write("x");
            assertThat(readDoubtful(cluster, quarantined(cluster).get(0)).hasNotLeader()).isTrue();
            assertRunning(cluster);

            for (String node : quarantined(cluster)) {
                LogPosition entry = look(cluster, node).getStanding().getQuarantinedAt();
                RecoverEntryResponse skipped =
                        step(cluster, node, EntryStep.RESUME_SKIPPING, entry);
                assertThat(skipped.getRefusal()).contains("is not noted");
                assertThat(step(cluster, node, EntryStep.RESUME, entry).getRefusal()).isEmpty();
            }
            writes.write(5);
            writes.acknowledged.add(DOUBTFUL);
            writes.assertAllThere();
            cluster.assertSameRows(THREE);
            assertRunning(cluster);
        }
    }

    @Test
    void entryHasNoEffectOnAnyMember_whenItIsSkipped() throws Exception {
        try (TestCluster cluster = cluster(Optional.empty())) {
            Writes writes = new Writes(cluster);
            writes.write(5);
            LogPosition entry = failOnAll(cluster);
            String first = quarantined(cluster).get(0);
            assertThat(
                            LogEntryCodec.decode(
                                            look(cluster, first).getEntry().asReadOnlyByteBuffer())
                                    .commands())
                    .hasSize(1);
            restart(cluster, first);
            for (String node : THREE) {
                assertThat(step(cluster, node, EntryStep.SKIP, entry).getRefusal()).isEmpty();
                assertThat(step(cluster, node, EntryStep.RESUME, entry).getRefusal())
                        .contains("is noted");
            }
            for (String node : THREE) {
                assertThat(step(cluster, node, EntryStep.RESUME_SKIPPING, entry).getRefusal())
                        .isEmpty();
            }
            // What is armed fails at the next entry, as the one skipped is not applied.
            restartAll(cluster);
            writes.write(5);
            writes.assertAllThere();
            cluster.assertSameRows(THREE);
            assertThat(step(cluster, first, EntryStep.WITHDRAW, entry).getRefusal())
                    .contains("may have skipped");
            // Who applies the log again skips it again.
            restart(cluster, "node-2");
            writes.write(1);
            cluster.assertSameRows(THREE);
            assertRunning(cluster);
        }
    }

    @Test
    void entryIsNotSkipped_whenMemberHasAppliedIt() throws Exception {
        try (TestCluster cluster = cluster(Optional.empty())) {
            Writes writes = new Writes(cluster);
            writes.write(5);
            failOnThird(cluster, writes);
            await().until(() -> isQuarantined(cluster, "node-3"));
            LogPosition entry = look(cluster, "node-3").getStanding().getQuarantinedAt();
            await().until(
                            () ->
                                    look(cluster, "node-2").getStanding().getAppliedIndex()
                                            >= entry.getIndex());
            assertThat(step(cluster, "node-2", EntryStep.SKIP, entry).getRefusal())
                    .contains("has applied entry");

            assertThat(step(cluster, "node-3", EntryStep.SKIP, entry).getRefusal()).isEmpty();
            assertThat(step(cluster, "node-3", EntryStep.WITHDRAW, entry).getRefusal()).isEmpty();
            restart(cluster, "node-3");
            assertThat(step(cluster, "node-3", EntryStep.RESUME, entry).getRefusal()).isEmpty();
            writes.write(5);
            writes.assertAllThere();
            cluster.assertSameRows(THREE);
            assertRunning(cluster);
        }
    }

    @Test
    void loneNodeServesItsOtherRange_whenEntryCannotBeApplied() throws Exception {
        UnappliableEntry hook = new UnappliableEntry(RANGE);
        List<NodeId> self = List.of(new NodeId(RunningServer.NODE));
        KeyRange left = new KeyRange(Key.FIRST, SPLIT_POINT);
        KeyRange right = new KeyRange(SPLIT_POINT, KeyRange.ALL.endExclusive());
        FakeManager manager =
                new FakeManager(
                        "cluster-1",
                        List.of(
                                new RangeDescriptor(RANGE, left, Generation.FIRST, self),
                                new RangeDescriptor(OTHER, right, Generation.FIRST, self)));
        TestConfig config =
                RunningServer.config(folder)
                        .withDamage(new DamageConfig(false, 0, java.time.Duration.ofHours(1)));
        try (RunningServer running = RunningServer.start(config, List.of(manager), hook)) {
            insertReady(running, 1, "a");
            insertReady(running, 2, "x");
            hook.arm();
            running.client().send(RangeClient.command(Commands.insert(3, "a", "3", "text")));
            await().until(
                            () ->
                                    running.meters
                                                    .get("partition_server_quarantined_replicas")
                                                    .gauge()
                                                    .value()
                                            == 1);
            insertReady(running, 4, "x");
            assertThat(running.failures).isEmpty();
            running.kill();
        }
        try (RunningServer again =
                RunningServer.start(config, List.of(manager), io.parterre.crash.CrashHook.none())) {
            insertReady(again, 5, "x");
            ReplicaReport report =
                    manager.reports().get(manager.reports().size() - 1).getReplicasList().get(0);
            assertThat(report.getState()).isEqualTo(ReplicaState.DAMAGED);
            assertThat(again.failures).isEmpty();
            NodeServiceGrpc.NodeServiceBlockingStub node =
                    NodeServiceGrpc.newBlockingStub(again.channel());
            RecoverEntryRequest.Builder request =
                    RecoverEntryRequest.newBuilder()
                            .setRangeId(RANGE.value())
                            .setStep(EntryStep.LOOK);
            LogPosition entry = node.recoverEntry(request.build()).getStanding().getQuarantinedAt();
            assertThat(
                            node.recoverEntry(
                                            request.setStep(EntryStep.RESUME)
                                                    .setEntry(entry)
                                                    .build())
                                    .getRefusal())
                    .isEmpty();
            insertReady(again, 6, "a");
            RangeResponse doubtful =
                    again.client().callWhenReady(RangeClient.read(Commands.key("a", "3")));
            assertThat(doubtful.getRow().hasValue()).isTrue();
        }
    }

    private static void insertReady(RunningServer running, long sequence, String partition)
            throws Exception {
        RangeResponse response =
                running.client()
                        .callWhenReady(
                                RangeClient.command(
                                                Commands.insert(
                                                        sequence, partition, "" + sequence, "text"))
                                        .setRangeId(partition.equals("a") ? 1 : 2)
                                        .setGeneration(1));
        assertThat(response.getOutcome().hasWritten()).as(response.toString()).isTrue();
    }
}

package io.parterre.server;

import static io.parterre.server.RangeClient.scan;
import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.server.raft.RaftConfig;
import io.parterre.server.store.StoreConfig;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A member whose data has turned bad on disk is rebuilt from the others, on the manager's word.
 * That it gives the word only where the others are well is for the manager's tests.
 */
final class DamageIT {
    private static final KeyRange TABLE = KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE));
    private static final String HURT = "node-3";
    private static final List<String> OTHERS = List.of("node-1", "node-2");
    private static final DamageConfig NO_SCRUB = new DamageConfig(true, 0, Duration.ofHours(1));
    private static final DamageConfig FAST_SCRUB =
            new DamageConfig(true, 1L << 30, Duration.ofMillis(50));

    @TempDir Path folder;
    private TestCluster cluster;
    private volatile DamageConfig damage = NO_SCRUB;

    private void start() throws Exception {
        cluster =
                TestCluster.ofThree(
                        folder,
                        config ->
                                config.withDamage(damage)
                                        .withStore(
                                                new StoreConfig(
                                                        8 << 20, 64 << 20, Duration.ofHours(1)))
                                        .withRaft(keepingLog(config.raft())));
        cluster.awaitLeader();
    }

    private static RaftConfig keepingLog(RaftConfig raft) {
        return raft.withPreservedLogBytes(64 << 20);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** Enough for a closed segment, and some in the open one. */
    private void fill() {
        cluster.writeLarge(24);
        cluster.write(30);
        cluster.awaitLevel(cluster.founders());
    }

    private Path file(String under, String name) throws IOException {
        try (Stream<Path> files = Files.walk(cluster.folder(HURT).resolve(under))) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    /** Changes a bit, as far into the file as told. */
    private static void flip(Path file, double where) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) (bytes.length * where)] ^= 4;
        Files.write(file, bytes);
    }

    /** A bit of an entry that others follow. */
    private static void flipEntry(Path segment) throws IOException {
        byte[] bytes = Files.readAllBytes(segment);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        bytes[end / 2] ^= 4;
        Files.write(segment, bytes);
    }

    private String damageOfReplica() {
        return cluster.manager.replica(HURT).map(each -> each.getDamage()).orElse("");
    }

    /** What the manager does about a damaged replica, in its order. */
    private void rebuildReplica() throws IOException {
        cluster.change(1, OTHERS);
        assertThat(damageOfReplica()).as("it stays until it is ordered away").isNotEmpty();
        cluster.manager.remove(HURT, 2);
        cluster.awaitGone(HURT);
        cluster.manager.withdrawOrders();
        assertThat(setAside()).anyMatch(name -> name.endsWith("range-1-log"));
        cluster.add(HURT, 2, OTHERS);
        cluster.write(10);
        cluster.assertAllThereAt(HURT, 3);
    }

    private List<String> setAside() throws IOException {
        try (Stream<Path> kept = Files.list(cluster.folder(HURT).resolve("damaged"))) {
            return kept.map(each -> each.getFileName().toString()).toList();
        }
    }

    private void logDamagedAtStart(String segment) throws Exception {
        start();
        fill();
        cluster.lead("node-1", 1);
        cluster.kill(HURT);
        Path damaged = file("raft", segment);
        flipEntry(damaged);
        byte[] content = Files.readAllBytes(damaged);
        cluster.start(HURT);
        await().until(() -> !damageOfReplica().isEmpty());

        assertThat(damageOfReplica()).contains(damaged.getFileName().toString(), "offset");
        assertThat(file("raft", segment)).as("left as it is").hasBinaryContent(content);
        assertThat(
                        cluster.node(HURT)
                                .meters
                                .get("partition_server_damaged_replicas")
                                .gauge()
                                .value())
                .isEqualTo(1);
        RangeResponse asked = cluster.node(HURT).client().call(scan(TABLE, 1_000));
        assertThat(asked.hasNotLeader()).as("%s", asked).isTrue();
        cluster.write(5);
        cluster.assertAllThere();

        cluster.kill(HURT);
        cluster.start(HURT);
        await().until(() -> !damageOfReplica().isEmpty());
        rebuildReplica();
    }

    @Test
    void replicaIsRebuilt_whenClosedLogSegmentIsCorrupt() throws Exception {
        logDamagedAtStart("log_\\d+-\\d+");
    }

    @Test
    void replicaIsRebuilt_whenOpenLogSegmentIsCorrupt() throws Exception {
        logDamagedAtStart("log_inprogress_.*");
    }

    @Test
    void replicaIsRebuilt_whenItsLogIsMissing() throws Exception {
        start();
        fill();
        cluster.node(HURT).flush();
        cluster.kill(HURT);
        Path log = file("raft", "current").getParent();
        Files.move(log, folder.resolve("lost"));
        cluster.start(HURT);
        await().until(() -> damageOfReplica().contains("has no raft log"));
        cluster.assertAllThere();
        rebuildReplica();
    }

    @Test
    void scrubReportsCorruptLogSegment_whileReplicaServes() throws Exception {
        damage = FAST_SCRUB;
        start();
        fill();
        cluster.lead(HURT, 1);
        flipEntry(file("raft", "log_\\d+-\\d+"));
        await().until(() -> !damageOfReplica().isEmpty());

        cluster.write(5);
        cluster.assertAllThere();
        assertThat(cluster.node(HURT).failures).isEmpty();
        assertThat(
                        cluster.node(HURT)
                                .meters
                                .get("partition_server_damage_found")
                                .tag("what", "log")
                                .counter()
                                .count())
                .isEqualTo(1);
        cluster.lead("node-2", 1);
        rebuildReplica();
    }

    /** What the manager does about a node that cannot use its store, once the others are well. */
    private void rebuildNode() throws IOException {
        cluster.awaitKnown(HURT);
        await().until(() -> !cluster.manager.damage(HURT).isEmpty());
        String before = cluster.manager.incarnation(HURT);
        cluster.manager.noLeave("range 1 is not well");
        await().until(
                        () ->
                                cluster.node(HURT)
                                        .server
                                        .missing()
                                        .filter(why -> why.contains("range 1 is not well"))
                                        .isPresent());
        assertThat(cluster.node(HURT).meters.get("partition_server_store_damaged").gauge().value())
                .isEqualTo(1);
        cluster.write(5);
        cluster.assertAllThere();

        cluster.manager.noLeave("");
        cluster.manager.beginAnew(HURT);
        await().until(() -> !cluster.manager.incarnation(HURT).equals(before));
        cluster.manager.withdrawOrders();
        assertThat(cluster.manager.damage(HURT)).isEmpty();
        assertThat(cluster.manager.replica(HURT)).isEmpty();
        assertThat(setAside()).anyMatch(name -> name.endsWith("store"));
        cluster.change(1, OTHERS);
        cluster.add(HURT, 2, OTHERS);
        cluster.write(10);
        cluster.assertAllThereAt(HURT, 3);
        assertThat(cluster.node(HURT).server.missing()).isEmpty();
    }

    @Test
    void nodeRebuildsItsStore_whenManifestIsCorrupt() throws Exception {
        start();
        fill();
        cluster.close(HURT);
        flip(file("rows", "MANIFEST-.*"), 0.5);
        cluster.start(HURT);
        rebuildNode();
    }

    @Test
    void nodeReturnsNoRowsAndRebuildsStore_whenReadBlockIsCorrupt() throws Exception {
        start();
        fill();
        cluster.close(HURT);
        // Within the first page.
        flip(file("rows", ".*\\.sst"), 0.1);
        cluster.start(HURT);
        cluster.lead(HURT, 1);
        List<RangeResponse> answers = new ArrayList<>();
        await().until(
                        () -> {
                            RangeRequest.Builder read = scan(TABLE, 1_000);
                            answers.add(cluster.node(HURT).client().call(read));
                            return !cluster.node(HURT).failures.isEmpty();
                        });
        assertThat(answers).noneMatch(RangeResponse::hasScanPage);
        StoreFailure failure = cluster.node(HURT).failures.poll(10, TimeUnit.SECONDS);
        assertThat(failure.damage()).isPresent();
        cluster.kill(HURT);
        cluster.awaitLeader();
        cluster.assertAllThere();

        cluster.start(HURT);
        rebuildNode();
    }

    @Test
    void scrubFindsCorruptBlock_withoutAnyRead() throws Exception {
        damage = FAST_SCRUB;
        start();
        fill();
        cluster.lead("node-1", 1);
        cluster.node(HURT).flush();
        flip(file("rows", ".*\\.sst"), 0.5);
        await().until(() -> !cluster.node(HURT).failures.isEmpty());
        cluster.kill(HURT);
        cluster.start(HURT);
        rebuildNode();
    }

    @Test
    void nodeKeepsCorruptStore_withoutPermissionToRebuild() throws Exception {
        start();
        fill();
        cluster.close(HURT);
        Path manifest = file("rows", "MANIFEST-.*");
        flip(manifest, 0.5);
        byte[] content = Files.readAllBytes(manifest);
        cluster.start(HURT);
        await().until(() -> !cluster.manager.damage(HURT).isEmpty());
        String before = cluster.manager.incarnation(HURT);
        cluster.kill(HURT);
        cluster.start(HURT);
        await().until(() -> cluster.manager.knows(HURT));
        assertThat(cluster.manager.damage(HURT)).isNotEmpty();
        assertThat(cluster.manager.incarnation(HURT)).isEqualTo(before);
        assertThat(manifest).hasBinaryContent(content);
        cluster.assertAllThere();
    }
}

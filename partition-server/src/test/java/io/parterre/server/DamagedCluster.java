package io.parterre.server;

import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.server.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Three nodes, of which one is to find its data damaged, and what the manager does about it. That
 * it does so only where the others are well is for the manager's tests.
 */
final class DamagedCluster implements AutoCloseable {
    static final KeyRange TABLE = KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE));
    static final String HURT = "node-3";
    private static final List<String> OTHERS = List.of("node-1", "node-2");
    private static final DamageConfig NO_SCRUB = new DamageConfig(true, 0, Duration.ofHours(1));
    private static final DamageConfig FAST_SCRUB =
            new DamageConfig(true, 1L << 30, Duration.ofMillis(50));

    final TestCluster nodes;

    private DamagedCluster(Path folder, DamageConfig damage) throws Exception {
        nodes =
                TestCluster.in(folder)
                        .settings(
                                config ->
                                        config.withDamage(damage)
                                                .withStore(
                                                        new StoreConfig(
                                                                8 << 20,
                                                                64 << 20,
                                                                Duration.ofHours(1)))
                                                .withRaft(
                                                        new TestRaft(config.raft())
                                                                .withPreservedLogBytes(64 << 20)
                                                                .build()))
                        .start();
        try {
            nodes.awaitLeader();
            fill();
        } catch (RuntimeException | Error failure) {
            nodes.close();
            throw failure;
        }
    }

    /** Nodes that do not look for damage. */
    static DamagedCluster start(Path folder) throws Exception {
        return new DamagedCluster(folder, NO_SCRUB);
    }

    /** Nodes that look for damage all the time. */
    static DamagedCluster scrubbing(Path folder) throws Exception {
        return new DamagedCluster(folder, FAST_SCRUB);
    }

    RunningServer hurt() {
        return nodes.node(HURT);
    }

    /** Enough for a closed segment, and some in the open one. */
    private void fill() {
        nodes.client.writeLarge(24);
        nodes.client.write(30);
        nodes.awaitLevel(nodes.founders());
    }

    Path file(String under, String name) throws IOException {
        try (Stream<Path> files = Files.walk(nodes.folder(HURT).resolve(under))) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    /** Changes a bit, as far into the file as told. */
    static void flip(Path file, double where) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) (bytes.length * where)] ^= 4;
        Files.write(file, bytes);
    }

    /** A bit of an entry that others follow. */
    static void flipEntry(Path segment) throws IOException {
        byte[] bytes = Files.readAllBytes(segment);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        bytes[end / 2] ^= 4;
        Files.write(segment, bytes);
    }

    String damageOfReplica() {
        return nodes.reports.replica(HURT).map(each -> each.getDamage()).orElse("");
    }

    /** What the manager does about a damaged replica, in its order. */
    void rebuildReplica() throws IOException {
        nodes.change(1, OTHERS);
        assertThat(damageOfReplica()).as("it stays until it is ordered away").isNotEmpty();
        nodes.manager.remove(HURT, 2);
        nodes.awaitGone(HURT);
        nodes.manager.withdrawOrders();
        assertThat(archived()).anyMatch(name -> name.endsWith("range-1-log"));
        nodes.add(HURT, 2, OTHERS);
        nodes.client.write(10);
        nodes.assertAllThereAt(HURT, 3);
    }

    private List<String> archived() throws IOException {
        try (Stream<Path> kept = Files.list(nodes.folder(HURT).resolve("damaged"))) {
            return kept.map(each -> each.getFileName().toString()).toList();
        }
    }

    /** What the manager does about a node that cannot use its store, once the others are well. */
    void rebuildNode() throws IOException {
        nodes.awaitKnown(HURT);
        await().until(() -> !nodes.reports.damage(HURT).isEmpty());
        String before = nodes.reports.incarnation(HURT);
        nodes.manager.rebuildRefusal("range 1 is not well");
        await().until(
                        () ->
                                hurt().server
                                        .missing()
                                        .filter(why -> why.contains("range 1 is not well"))
                                        .isPresent());
        assertThat(hurt().meters.get("partition_server_store_damaged").gauge().value())
                .isEqualTo(1);
        nodes.client.write(5);
        nodes.client.assertAllThere();

        nodes.manager.rebuildRefusal("");
        nodes.manager.rebuildStore(HURT);
        await().until(() -> !nodes.reports.incarnation(HURT).equals(before));
        nodes.manager.withdrawOrders();
        assertThat(nodes.reports.damage(HURT)).isEmpty();
        assertThat(nodes.reports.replica(HURT)).isEmpty();
        assertThat(archived()).anyMatch(name -> name.endsWith("store"));
        nodes.change(1, OTHERS);
        nodes.add(HURT, 2, OTHERS);
        nodes.client.write(10);
        nodes.assertAllThereAt(HURT, 3);
        assertThat(hurt().server.missing()).isEmpty();
    }

    @Override
    public void close() {
        nodes.close();
    }
}

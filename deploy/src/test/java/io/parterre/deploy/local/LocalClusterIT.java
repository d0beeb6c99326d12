package io.parterre.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.node.RoleName;
import io.parterre.deploy.operator.OperatorCommands;
import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Three managers, three servers and two front ends, each a process; every test leaves all up. */
@Timeout(180)
class LocalClusterIT {
    private static final Duration PATIENCE = ServingCluster.PATIENCE;
    private static final Duration REBUILD_PATIENCE = Duration.ofMinutes(2);

    @TempDir private static Path folder;

    private static ServingCluster serving;
    private static LocalCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        serving = ServingCluster.start(folder.resolve("cluster"), LocalClusterPlan.of(3, 2));
        cluster = serving.cluster();
    }

    @AfterAll
    static void end() {
        serving.close();
    }

    @Test
    void frontEndReadsWhatAnotherFrontEndWrote() throws Exception {
        assertThat(serving.through("f1").createTable("Shared")).isEqualTo(201);
        assertThat(serving.through("f2").createTable("Shared")).isEqualTo(409);
        assertThat(serving.through("f1").insert("Shared", "a", "1", "Ann")).isEqualTo(201);
        assertThat(serving.through("f2").insert("Shared", "a", "1", "Bob")).isEqualTo(409);
        assertThat(serving.through("f2").read("Shared", "a", "1").body())
                .contains("\"Value\":\"Ann\"");
    }

    @Test
    void ackedWritesSurvive_whenLeadingServerIsKilled() throws Exception {
        assertThat(serving.through("f1").createTable("Servers")).isEqualTo(201);
        List<String> acknowledged = serving.insert("Servers", "before", 20);
        String leader = serving.leader(RoleName.PARTITION_SERVER, "partition_server_led_ranges");
        cluster.kill(leader);
        acknowledged.addAll(serving.insert("Servers", "after", 20));
        assertThat(cluster.state(leader)).isEqualTo(NodeState.GONE);
        cluster.start(leader);
        cluster.awaitReady(leader, PATIENCE);
        serving.assertHeld("Servers", acknowledged);
    }

    @Tag("long")
    @Test
    void managerRejoinsCluster_afterItsFolderIsLost() throws Exception {
        String leader = serving.leader(RoleName.PARTITION_MANAGER, "partition_manager_leading");
        String emptied =
                serving.names(RoleName.PARTITION_MANAGER).stream()
                        .filter(name -> !name.equals(leader))
                        .findFirst()
                        .orElseThrow();
        cluster.kill(emptied);
        DurableFiles.removeFolder(cluster.node(emptied).data());
        cluster.start(emptied);
        cluster.awaitReady(emptied, PATIENCE);
        assertThat(cluster.node(emptied).logLines(200))
                .anyMatch(line -> line.contains("this manager is empty and waits"))
                .anyMatch(line -> line.contains("this manager is a member"));

        // From here on it is as good as the others.
        cluster.kill(leader);
        serving.leader(RoleName.PARTITION_MANAGER, "partition_manager_leading");
        cluster.start(leader);
        cluster.awaitReady(leader, PATIENCE);
    }

    /** So that it finds them after a restart though its settings name nobody who is left. */
    @Test
    void serverStoresManagerAddressesOnDisk() {
        Path kept = cluster.node("s1").data().resolve("known-managers");
        List<String> services =
                ClusterFile.of(cluster.nodes(), RoleName.PARTITION_MANAGER).stream()
                        .map(node -> node.address("service"))
                        .toList();
        await().atMost(PATIENCE)
                .until(() -> Files.exists(kept) && Files.readAllLines(kept).equals(services));
    }

    @Test
    void frontEndServesOnSamePort_afterItIsKilledAndRestarted() throws Exception {
        cluster.kill("f1");
        assertThat(serving.through("f2").createTable("FrontEnds")).isEqualTo(201);
        cluster.start("f1");
        cluster.awaitReady("f1", PATIENCE);
        assertThat(serving.through("f1").createTable("FrontEnds")).isEqualTo(409);
    }

    @Test
    void writesContinue_whileLeadingServerIsPaused() throws Exception {
        assertThat(serving.through("f1").createTable("Pauses")).isEqualTo(201);
        String leader = serving.leader(RoleName.PARTITION_SERVER, "partition_server_led_ranges");
        cluster.pause(leader);
        assertThat(cluster.state(leader)).isEqualTo(NodeState.PAUSED);
        List<String> acknowledged = serving.insert("Pauses", "meanwhile", 5);
        cluster.resume(leader);
        cluster.awaitReady(leader, PATIENCE);
        serving.assertHeld("Pauses", acknowledged);
    }

    @Tag("long")
    @Test
    void rowsAndPortsSurvive_afterOrderlyRestart() throws Exception {
        assertThat(serving.through("f1").createTable("Restarts")).isEqualTo(201);
        List<String> acknowledged = serving.insert("Restarts", "first", 5);
        List<Integer> ports = cluster.nodes().stream().map(node -> node.port("admin")).toList();
        cluster.down();
        for (LocalNode node : cluster.nodes()) {
            assertThat(cluster.state(node.name())).isEqualTo(NodeState.GONE);
            assertThat(node.logLines(20))
                    .as(node.name())
                    .anyMatch(line -> line.contains("ProcessLifetime stopped"))
                    .noneMatch(line -> line.contains(" ERROR "));
        }
        cluster.startAll();
        cluster.awaitServing(PATIENCE);
        assertThat(cluster.nodes().stream().map(node -> node.port("admin"))).isEqualTo(ports);
        serving.assertHeld("Restarts", acknowledged);
    }

    /** The managers take it from there; nobody does anything by hand but start the process. */
    @Tag("long")
    @Test
    void serverIsRebuilt_whenItsStoreOrLogIsCorrupt() throws Exception {
        assertThat(serving.through("f1").createTable("Damages")).isEqualTo(201);
        List<String> acknowledged = serving.insert("Damages", "first", 30);
        cluster.stop("s2");
        flip(file("s2", "MANIFEST-.*"));
        cluster.start("s2");
        acknowledged.addAll(serving.insert("Damages", "second", 10));
        awaitRebuilt("s2", "\\d+-store");
        serving.assertHeld("Damages", acknowledged);

        cluster.kill("s3");
        flip(file("s3", "log_inprogress_.*"));
        cluster.start("s3");
        acknowledged.addAll(serving.insert("Damages", "third", 10));
        awaitRebuilt("s3", "\\d+-range-1-log");
        serving.assertHeld("Damages", acknowledged);

        cluster.kill("s1");
        serving.assertHeld("Damages", acknowledged);
        cluster.start("s1");
        cluster.awaitReady("s1", PATIENCE);
    }

    private static Path file(String server, String name) throws IOException {
        return DurableFiles.filesBelow(cluster.node(server).data()).stream()
                .filter(each -> each.getFileName().toString().matches(name))
                .findFirst()
                .orElseThrow();
    }

    /** In the first of what it holds, which more follows. */
    private static void flip(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[30] ^= 4;
        Files.write(file, bytes);
    }

    /**
     * The managers alone cannot tell: a server that has just rebuilt its store has not told them
     * yet what it lacks. One that holds a replica again was ordered to by a move, which they know
     * the end of.
     */
    private static void awaitRebuilt(String server, String archived) {
        await().atMost(REBUILD_PATIENCE).until(() -> isArchived(server, archived));
        await().atMost(REBUILD_PATIENCE)
                .until(
                        () ->
                                serving.shows(server, "partition_server_replicas 1.0")
                                        && serving.shows(
                                                server, "partition_server_damaged_replicas 0.0"));
        await().atMost(REBUILD_PATIENCE)
                .until(
                        () ->
                                serving.names(RoleName.PARTITION_MANAGER).stream()
                                        .map(name -> cluster.admin(cluster.node(name), "/metrics"))
                                        .flatMap(Optional::stream)
                                        .filter(
                                                metrics ->
                                                        metrics.contains(
                                                                "\npartition_manager_leading 1.0"))
                                        .anyMatch(LocalClusterIT::isWhole));
        cluster.awaitReady(server, PATIENCE);
    }

    private static boolean isArchived(String server, String name) throws IOException {
        Path damaged = cluster.node(server).data().resolve("server").resolve("damaged");
        if (!Files.isDirectory(damaged)) {
            return false;
        }
        try (Stream<Path> kept = Files.list(damaged)) {
            return kept.anyMatch(each -> each.getFileName().toString().matches(name));
        }
    }

    private static boolean isWhole(String metrics) {
        return metrics.contains("\npartition_manager_ranges_under_replicated 0.0\n")
                && metrics.contains("\npartition_manager_damaged_replicas 0.0\n")
                && metrics.contains("\npartition_manager_moves_running 0.0\n");
    }

    @Tag("long")
    @Test
    void rowsSurviveDrainUndrainAndRestart_withDisruptionLease() throws Exception {
        assertThat(serving.through("f1").createTable("Drains")).isEqualTo(201);
        List<String> acknowledged = serving.insert("Drains", "before", 20);
        String added = cluster.addServer();
        cluster.start(added);
        cluster.awaitReady(added, PATIENCE);

        assertThat(operate("drain", "s1", "--replicas", "--wait", "--wait-max=60s")).isZero();
        await().atMost(PATIENCE).until(() -> serving.shows("s1", "partition_server_replicas 0.0"));
        acknowledged.addAll(serving.insert("Drains", "without", 5));
        assertThat(operate("undrain", "s1")).isZero();

        String leader = serving.leader(RoleName.PARTITION_SERVER, "partition_server_led_ranges");
        assertThat(operate("maintenance", "begin", leader, "--for=5m", "--wait", "--wait-max=60s"))
                .isZero();
        assertThat(serving.leads(leader, "partition_server_led_ranges")).isFalse();
        cluster.stop(leader);
        cluster.start(leader);
        cluster.awaitReady(leader, PATIENCE);
        assertThat(operate("maintenance", "end", leader, "--wait", "--wait-max=60s")).isZero();
        serving.assertHeld("Drains", acknowledged);
    }

    private static int operate(String... arguments) {
        CommandLine commands = new CommandLine(CommandLine.Model.CommandSpec.create());
        OperatorCommands.addTo(commands, NetworkTransport::new);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + cluster.operatorSettings());
        all.add("--timeout=60");
        return commands.execute(all.toArray(String[]::new));
    }

    private static List<String> managers() {
        return ClusterFile.of(cluster.nodes(), RoleName.PARTITION_MANAGER).stream()
                .map(manager -> manager.address("service"))
                .toList();
    }

    @Test
    void addedServersGetUniqueNamesAndPorts() {
        LocalCluster other =
                LocalCluster.create(
                        folder.resolve("grown"),
                        Path.of("target/parterre"),
                        LocalClusterPlan.of(1, 1));
        assertThat(other.addServer()).isEqualTo("s2");
        assertThat(other.addServer()).isEqualTo("s3");
        assertThat(other.node("s3").settings()).exists();
        assertThat(other.state("s3")).isEqualTo(NodeState.GONE);
        assertThat(other.nodes().stream().flatMap(node -> node.ports().values().stream()))
                .doesNotHaveDuplicates();
    }

    /** Numbers of processes are given out again. */
    @Test
    void localClusterSparesForeignProcess_whenPidIsReused() throws Exception {
        LocalCluster other =
                LocalCluster.create(
                        folder.resolve("other"),
                        Path.of("target/parterre"),
                        LocalClusterPlan.of(1, 1));
        Process stranger = new ProcessBuilder("sleep", "60").start();
        try {
            ClusterFile.write(
                    folder.resolve("other"),
                    other.nodes().stream().map(node -> node.withPid(stranger.pid())).toList(),
                    List.of());
            assertThat(other.state("s1")).isEqualTo(NodeState.GONE);
            assertThatThrownBy(() -> other.kill("s1")).hasMessage("s1 does not run");
            other.down();
            other.killAll();
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }
}

package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.fault.RangeChange;
import io.parterre.chaos.fault.RangeNemesis;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.process.Releases;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Registers;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.node.RoleName;
import io.parterre.release.FeatureLevel;
import io.parterre.testing.TestFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of the release before feature levels becomes one of this release, process by process
 * and under load, with ranges split and merged in between. One server goes back to the old release
 * and comes again; then the upgrade is finalised. No call fails, no acknowledged write is lost, and
 * no process ends by itself.
 */
@Course
class UpgradeIT {
    private static final Logger LOG = LoggerFactory.getLogger(UpgradeIT.class);

    /** The last one that tells no levels. */
    private static final String BEFORE_LEVELS = "38ed5eaa";

    private static final int WRITERS = 4;
    private static final int WRITES_BEFORE_THE_FIRST_SPLIT_POINT = 150;
    private static final int WRITES_BETWEEN = 20;
    private static final int RANGES_MAX = 6;
    private static final int DATA_DIR_REFUSED = 5;
    private static final Duration FINALIZED_WITHIN = Duration.ofSeconds(60);

    private final Durations silences = new Durations();

    /** Of the processes as they run now. */
    private final Map<String, Long> pids = new HashMap<>();

    private int changes;

    @Test
    void noCallFails_whileReleaseChangesNodeByNode() throws IOException {
        Path before = beforeLevels();
        Path launching = TestFolders.create("upgrade-launching").toAbsolutePath();
        Releases releases = Releases.startingWith(launching, before);
        try (ClusterRun run = ClusterRun.start("upgrade", launching)) {
            ClusterProcesses cluster = run.cluster();
            all(cluster).forEach(name -> pids.put(name, cluster.pid(name)));
            Writers writers =
                    new Writers("Upgraded", WRITERS, run.random().nextLong(), ClusterRun.PACE);
            Registers registers = new Registers("Registers");
            RangeNemesis nemesis =
                    new RangeNemesis(cluster.operator(), run.random().split(), RANGES_MAX);
            List<TableConnection> connections = run.followingConnections();
            connections.get(0).createTable(writers.table());
            connections.get(0).createTable(registers.table());
            writers.start(connections);
            registers.start(connections);
            writers.awaitAcknowledged(WRITES_BEFORE_THE_FIRST_SPLIT_POINT);
            nemesis.splitInHalf();

            for (String name : all(cluster)) {
                restart(run, releases, name, Releases.built(), writers);
                change(nemesis, writers);
            }
            assertThat(status(cluster)).isEqualTo(FeatureLevel.FIRST.value());

            String back = cluster.names(RoleName.PARTITION_SERVER).get(0);
            restart(run, releases, back, before, writers);
            change(nemesis, writers);
            assertThatThrownBy(() -> cluster.operator().ask("upgrade", "finalize"))
                    .hasMessageContaining("server " + back);
            restart(run, releases, back, Releases.built(), writers);

            cluster.operator().ask("upgrade", "finalize");
            assertThat(status(cluster)).isEqualTo(FeatureLevel.NEWEST.value());
            awaitFormat(cluster);
            change(nemesis, writers);
            change(nemesis, writers);
            assertRefusesFolder(run, before, back);

            writers.awaitAcknowledged(WRITES_BETWEEN);
            writers.stop();
            registers.stop();
            LOG.info(
                    "upgrade seed={} processes={} changes={} writes={} reads={} failed={}"
                            + " unanswered={} longest silence {}",
                    run.seed(),
                    pids.size(),
                    changes,
                    writers.acknowledged() + registers.writes(),
                    registers.reads(),
                    writers.failed() + registers.failed(),
                    writers.unanswered() + registers.unanswered(),
                    silences);
            assertNobodyEnded(cluster);
            run.assertNone(
                    new Verification(connections.get(0), writers).ofEverything(), "in the end");
            run.assertNone(registers.violations(), "in the end");
            run.assertNoFailedCall(writers, registers);
        }
    }

    @Test
    void embeddedNodeCanGoBack_untilItsUpgradeIsFinalized() {
        Path before = beforeLevels();
        Path folder = TestFolders.create("upgrade-embedded").toAbsolutePath();
        assertThat(embedded(before, folder, 1)).isZero();
        assertThat(embedded(Releases.built(), folder, 2)).isZero();
        assertThat(embedded(before, folder, 3)).as("back").isZero();
        assertThat(embedded(Releases.built(), folder, 4, "--finalize-upgrade")).isZero();
        assertThat(folder.resolve("data/parterre-data"))
                .content()
                .isEqualToIgnoringWhitespace("format=" + FeatureLevel.NEWEST);
        assertThat(embedded(before, folder, 5)).isEqualTo(DATA_DIR_REFUSED);
        assertThat(embedded(Releases.built(), folder, 6)).isZero();
    }

    private static int embedded(Path release, Path folder, int start, String... more) {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("embedded", "--check", "--table-port", "0", "--admin-port", "0"));
        arguments.addAll(List.of("--data-dir", folder.resolve("data").toString()));
        arguments.addAll(List.of(more));
        return Releases.exitCode(release, folder.resolve("start-" + start + ".log"), arguments);
    }

    private static Path beforeLevels() {
        Optional<Path> before = Releases.ofCommit(BEFORE_LEVELS, Path.of("target/releases"));
        assumeTrue(
                before.isPresent(),
                "commit " + BEFORE_LEVELS + " is not in the history here: a shallow clone?");
        return before.orElseThrow();
    }

    /** In the order in which an upgrade is to be done. */
    private static List<String> all(ClusterProcesses cluster) {
        List<String> all = new ArrayList<>();
        all.addAll(cluster.names(RoleName.PARTITION_MANAGER));
        all.addAll(cluster.names(RoleName.PARTITION_SERVER));
        all.addAll(cluster.names(RoleName.FRONT_END));
        return all;
    }

    private void restart(
            ClusterRun run, Releases releases, String name, Path release, Writers writers) {
        ClusterProcesses cluster = run.cluster();
        writers.awaitAcknowledged(WRITES_BETWEEN);
        assertNobodyEnded(cluster);
        writers.pulse().watchFrom(System.nanoTime());
        cluster.stop(name);
        releases.runs(name, release);
        cluster.restart(name);
        cluster.awaitHealthy();
        pids.put(name, cluster.pid(name));
        silences.add(writers.pulse().longestSilence());
        LOG.info("restarted node={} release={}", name, release);
    }

    private void change(RangeNemesis nemesis, Writers writers) {
        RangeChange change = nemesis.plan(writers.roster().partitions());
        nemesis.ask(change);
        nemesis.awaitEnd(change);
        changes++;
    }

    private static int status(ClusterProcesses cluster) {
        return cluster.operator().ask("upgrade", "status").path("level").asInt();
    }

    /** A process that ended by itself is gone, or another one has taken its place. */
    private void assertNobodyEnded(ClusterProcesses cluster) {
        pids.forEach(
                (name, pid) -> {
                    assertThat(cluster.isGone(name)).as("%s has ended", name).isFalse();
                    assertThat(cluster.pid(name)).as("pid of %s", name).isEqualTo(pid);
                });
    }

    private static void awaitFormat(ClusterProcesses cluster) {
        await("folders of the newest format")
                .atMost(FINALIZED_WITHIN)
                .pollDelay(Duration.ZERO)
                .until(
                        () ->
                                all(cluster).stream()
                                        .map(name -> cluster.data(name).resolve("parterre-data"))
                                        .filter(Files::exists)
                                        .allMatch(
                                                marker -> isOfFormat(marker, FeatureLevel.NEWEST)));
    }

    private static boolean isOfFormat(Path marker, FeatureLevel level) {
        try {
            return Files.readString(marker).strip().equals("format=" + level);
        } catch (IOException e) {
            return false;
        }
    }

    private void assertRefusesFolder(ClusterRun run, Path release, String server) {
        ClusterProcesses cluster = run.cluster();
        cluster.stop(server);
        Path log = cluster.settings(server).resolveSibling("refused.log");
        int exitCode =
                Releases.exitCode(
                        release,
                        log,
                        List.of(
                                "partition-server",
                                "--config",
                                cluster.settings(server).toString()));
        assertThat(exitCode).as("old release, see %s", log).isEqualTo(DATA_DIR_REFUSED);
        cluster.restart(server);
        cluster.awaitHealthy();
        pids.put(server, cluster.pid(server));
    }
}

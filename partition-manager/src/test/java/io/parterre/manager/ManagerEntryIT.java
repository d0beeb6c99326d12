package io.parterre.manager;

import static io.parterre.manager.ManagerNetwork.remove;
import static io.parterre.manager.ManagerUnderTest.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.parterre.manager.raft.LoneManager;
import io.parterre.range.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How managers get into their group and out of it, on real Ratis. */
@Timeout(300)
class ManagerEntryIT {
    /** First starts with kills; more take longer. */
    private static final int FIRST_STARTS = Integer.getInteger("parterre.manager.firstStarts", 3);

    /** Longer than an election takes. */
    private static final Duration ELECTION = Duration.ofSeconds(4);

    @TempDir private Path folder;
    private ManagerNetwork network;

    @BeforeEach
    void create() {
        network = new ManagerNetwork(folder);
    }

    @AfterEach
    void stop() {
        network.close();
    }

    private String found() {
        return network.awaitLeader().heartbeat(report("n1", "")).getClusterId();
    }

    /** Changes of the map, enough for snapshots. */
    private void write(int count) {
        for (int i = 0; i < count; i++) {
            network.awaitLeader().lease(1);
        }
    }

    private String missing(int n) {
        return network.get(n).manager.missing().orElse("");
    }

    @Test
    void wipedManagerCannotVote_untilOthersLetItRejoin() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        String clusterId = found();
        write(50);
        network.stop(2);
        network.stop(3);
        network.empty(2);

        // With the vote that it has forgotten there would be a majority.
        network.start(2, 1, 2, 3);
        await().during(ELECTION)
                .atMost(ELECTION.multipliedBy(4))
                .until(
                        () ->
                                missing(2).contains("has no vote until most of the others are")
                                        && network.leader().isEmpty());

        network.start(3, 1, 2, 3);
        network.awaitMembers(1, 2, 3);
        assertThat(network.hasSnapshot(2)).as("it was brought the map whole").isTrue();
        write(5);

        // It is as good as the others from here on: with one of them it goes on, from its own disk.
        network.stop(1);
        network.stop(2);
        network.start(2, 1, 2, 3);
        network.awaitLeader();
        await().until(() -> missing(2).isEmpty());
        assertThat(found()).isEqualTo(clusterId);
        assertThat(network.awaitLeader().lease(1).getFirst()).isEqualTo(1_055);
    }

    @Test
    void twoWipedManagersBootstrapNoCluster_whenThirdKeepsData() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        for (int n = 1; n <= 3; n++) {
            network.stop(n);
        }
        network.empty(1);
        network.empty(2);

        network.start(1, 1, 2, 3);
        network.start(2, 1, 2, 3);
        await().until(() -> missing(1).contains("manager m3 does not answer"));
        await().until(() -> !missing(2).isEmpty());
        network.start(3, 1, 2, 3);
        await().during(ELECTION)
                .atMost(ELECTION.multipliedBy(4))
                .until(
                        () ->
                                missing(1).contains("manager m3 belongs to a cluster already")
                                        && missing(2).contains("manager m3 belongs to a cluster")
                                        && network.leader().isEmpty());
    }

    @Test
    void managerGroupGrowsTo5AndShrinksTo3_whileWritesContinue() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        String clusterId = found();
        try (Writes writes = new Writes(network)) {
            for (int n : List.of(4, 5)) {
                assertThat(network.change(network.add(n)).get(0))
                        .contains("is taken in once it runs there, with an empty folder");
                network.start(n, 1, 2, 3, n);
                network.awaitMembers(n == 4 ? new int[] {1, 2, 3, 4} : new int[] {1, 2, 3, 4, 5});
            }
            network.change(remove(1));
            network.awaitMembers(2, 3, 4, 5);
            await().until(() -> missing(1).contains("does not want a manager m1"));
            network.stop(1);
            network.change(remove(2));
            network.awaitMembers(3, 4, 5);
            writes.awaitMore(5);
        }
        assertThat(found()).isEqualTo(clusterId);

        // Those that were told of nobody who is left find each other by what they kept.
        for (int n : List.of(3, 4, 5)) {
            network.stop(n);
        }
        for (int n : List.of(4, 5)) {
            network.start(n, 1, 2, n);
        }
        network.awaitLeader();
        assertThat(found()).isEqualTo(clusterId);
    }

    @Test
    void managerIsReplacedOrReaddressed_whileWritesContinue() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        String clusterId = found();
        network.stop(3);
        try (Writes writes = new Writes(network)) {
            await().ignoreExceptions()
                    .until(
                            () ->
                                    !network.change(network.add(4).setRemove("m3").setDryRun(true))
                                            .isEmpty());
            network.change(network.add(4).setRemove("m3"));
            network.start(4, 1, 2, 4);
            network.awaitMembers(1, 2, 4);

            // The one that was away for that long is told, and nobody counts on what it holds.
            network.start(3, 1, 2, 3);
            await().until(() -> missing(3).contains("does not want a manager m3"));

            // The same manager under another address.
            network.stop(2);
            network.empty(2);
            network.move(2);
            network.change(network.add(2).setRemove("m2"));
            network.start(2, 1, 2, 4);
            network.awaitMembers(1, 2, 4);
            writes.awaitMore(5);
        }
        assertThat(network.managers().orElseThrow().getManagersList())
                .extracting(each -> each.getManager().getRaftAddress())
                .containsExactly(
                        network.member(1).raftAddress(),
                        network.member(2).raftAddress(),
                        network.member(4).raftAddress());
        assertThat(found()).isEqualTo(clusterId);
    }

    @Test
    void managerIsRemovedFromGroup_whenItIsTheLeader() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        int leader = network.leader().orElseThrow();
        network.change(remove(leader));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> missing(leader).contains("does not want a manager m" + leader));
        assertThat(network.managers().orElseThrow().getManagersCount()).isEqualTo(2);
        assertThatThrownBy(() -> network.change(remove(9)))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("there is no manager m9");
    }

    @Test
    void managerDiscardsDataAndRejoins_whenOldFolderIsRestored() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        network.stop(3);
        ManagerUnderTest.copyAsLeftByACrash(folder.resolve("m3"), folder.resolve("old"));
        network.empty(3);
        network.start(3, 1, 2, 3);
        network.awaitMembers(1, 2, 3);

        network.stop(3);
        network.empty(3);
        ManagerUnderTest.copyAsLeftByACrash(folder.resolve("old"), folder.resolve("m3"));
        network.start(3, 1, 2, 3);
        assertThat(missing(3)).as("asked before it begins").isNotEmpty();
        network.awaitMembers(1, 2, 3);
        assertThat(folder.resolve("m3").resolve("forgotten")).isDirectory();
    }

    /** As when its machine is gone: one of two is no majority. */
    @Test
    void survivorOfTwoLeadsAlone_afterOperatorDropsLostManager() throws Exception {
        network.startAll(1, 2);
        network.awaitLeader();
        String clusterId = found();
        network.awaitMembers(1, 2);
        network.stop(2);
        network.stop(1);
        LoneManager folder = new LoneManager(network.folder(1));
        assertThatThrownBy(() -> folder.goOnWithout(new NodeId("m3")))
                .hasMessageContaining("expected: beside m3 alone")
                .hasMessageContaining("nothing was changed");

        folder.goOnWithout(new NodeId("m2"));
        network.start(1, 1, 2);
        network.awaitLeader();
        assertThat(found()).isEqualTo(clusterId);

        // With what it had, the other is of no group that there is; emptied, it is taken in.
        network.start(2, 1, 2);
        await().during(ELECTION)
                .atMost(ELECTION.multipliedBy(4))
                .until(() -> network.leader().equals(Optional.of(1)));
        network.stop(2);
        network.empty(2);
        network.start(2, 1, 2);
        network.awaitMembers(1, 2);
        assertThat(found()).isEqualTo(clusterId);
    }

    @Test
    void dropOfLostManagerIsRejected_whenGroupHasThreeMembers() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        network.stop(1);
        assertThatThrownBy(() -> new LoneManager(network.folder(1)).goOnWithout(new NodeId("m2")))
                .hasMessageContaining("beside [m2, m3]");
    }

    /** The setting is still there, and m1 holds the cluster's map by now. */
    @Test
    void noSecondClusterBootstraps_whenBootstrapWithoutIsStale() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        for (int n = 1; n <= 3; n++) {
            network.stop(n);
        }
        network.empty(2);
        network.empty(3);

        network.start(2, Set.of(1), 1, 2, 3);
        network.start(3, Set.of(1), 1, 2, 3);
        await().until(() -> missing(2).contains("which counts for nothing"));
        await().during(ELECTION)
                .atMost(ELECTION.multipliedBy(4))
                .until(
                        () ->
                                missing(3).contains("m1 does not answer")
                                        && network.leader().isEmpty());
    }

    @Test
    void clusterBootstraps_whenOperatorExcludesMissingManager() throws Exception {
        network.start(2, 1, 2, 3);
        network.start(3, 1, 2, 3);
        await().until(() -> missing(2).contains("manager m1 does not answer"));
        network.stop(2);
        network.start(2, Set.of(1), 1, 2, 3);
        network.awaitLeader();
        String clusterId = found();
        network.start(1, 1, 2, 3);
        network.awaitMembers(1, 2, 3);
        assertThat(found()).isEqualTo(clusterId);
    }

    @Test
    void threeManagersBootstrapOneGroup_whileKilledAtRandom() throws Exception {
        for (int round = 0; round < FIRST_STARTS; round++) {
            Random random = new Random(round);
            try (ManagerNetwork fresh = new ManagerNetwork(folder.resolve("round" + round))) {
                Set<Integer> kills = Set.of(1 + random.nextInt(3), 1 + random.nextInt(3));
                AtomicInteger looks = new AtomicInteger();
                for (int n = 1; n <= 3; n++) {
                    fresh.start(n, 1, 2, 3);
                    pause(looks, random.nextInt(4));
                }
                for (int n : kills) {
                    pause(looks, random.nextInt(12));
                    fresh.stop(n);
                    if (random.nextInt(3) == 0) {
                        // Nothing can have been acknowledged to anybody yet but an empty map.
                        fresh.empty(n);
                    }
                    pause(looks, random.nextInt(4));
                    fresh.start(n, 1, 2, 3);
                }
                fresh.awaitMembers(1, 2, 3);
                Set<String> clusters = ConcurrentHashMap.newKeySet();
                for (ManagerUnderTest manager : fresh.all()) {
                    try {
                        clusters.add(manager.heartbeat(report("n1", "")).getClusterId());
                    } catch (StatusRuntimeException elsewhere) {
                        // It does not lead.
                    }
                }
                assertThat(clusters).as("round %d", round).hasSize(1).doesNotContain("");
            }
        }
    }

    /** Some moments, so that the managers come as far as chance has it. */
    private static void pause(AtomicInteger looks, int moments) {
        int until = looks.get() + moments;
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> looks.getAndIncrement() >= until);
    }

    /** Changes the map without pause, whoever leads; no number may be given out twice. */
    private static final class Writes implements AutoCloseable {
        private final Set<Long> leased = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean twice = new AtomicBoolean();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final ManagerNetwork network;
        private final Thread thread = new Thread(this::run, "writes");

        Writes(ManagerNetwork network) {
            this.network = network;
            thread.start();
        }

        private void run() {
            while (!stopped.get()) {
                for (ManagerUnderTest manager : network.all()) {
                    try {
                        if (!leased.add(manager.lease(1).getFirst())) {
                            twice.set(true);
                        }
                    } catch (RuntimeException elsewhere) {
                        // It does not lead, or not any more: what it leased is lost.
                    }
                }
            }
        }

        void awaitMore(int count) {
            int before = leased.size();
            await().atMost(Duration.ofSeconds(30)).until(() -> leased.size() >= before + count);
        }

        @Override
        public void close() throws InterruptedException {
            stopped.set(true);
            thread.join();
            assertThat(twice).as("a number given out twice").isFalse();
        }
    }
}

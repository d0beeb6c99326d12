package io.parterre.manager;

import static io.parterre.manager.ManagerUnderTest.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Managers found their group once, and no second one, on real Ratis. */
class ManagerBootstrapIT extends NetworkedManagers {
    /** The setting is still there, and m1 holds the cluster's map by now. */
    @Test
    void noSecondClusterBootstraps_whenExcludedManagerHoldsMap() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        network.stop(1, 2, 3);
        network.empty(2);
        network.empty(3);

        network.start(2, Set.of(1), 1, 2, 3);
        network.start(3, Set.of(1), 1, 2, 3);
        await().until(() -> network.missing(2).contains("which counts for nothing"));
        await().during(ManagerNetwork.ELECTION)
                .atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                network.missing(3).contains("m1 does not answer")
                                        && network.leader().isEmpty());
    }

    @Test
    void clusterBootstraps_whenOperatorExcludesMissingManager() throws Exception {
        network.start(2, 1, 2, 3);
        network.start(3, 1, 2, 3);
        await().until(() -> network.missing(2).contains("manager m1 does not answer"));
        network.stop(2);
        network.start(2, Set.of(1), 1, 2, 3);
        network.awaitLeader();
        String clusterId = network.found();
        network.start(1, 1, 2, 3);
        network.awaitMembers(1, 2, 3);
        assertThat(network.found()).isEqualTo(clusterId);
    }

    @ParameterizedTest
    // 5: a leader loses its folder while a voter's log is empty.
    @ValueSource(ints = {0, 1, 2, 5})
    void managersBootstrapOneCluster_whileKilledAtRandom(int seed) throws Exception {
        bootstrapWhileKilledAtRandom(seed);
    }

    static IntStream seedsOfLongRun() {
        return IntStream.range(6, 33);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("seedsOfLongRun")
    void managersBootstrapOneCluster_inLongRunOfRandomKills(int seed) throws Exception {
        bootstrapWhileKilledAtRandom(seed);
    }

    private void bootstrapWhileKilledAtRandom(int seed) throws IOException {
        Random random = new Random(seed);
        // In the order drawn: the seed has to give the same course again.
        Set<Integer> kills = new LinkedHashSet<>();
        kills.add(1 + random.nextInt(3));
        kills.add(1 + random.nextInt(3));
        AtomicInteger looks = new AtomicInteger();
        boolean emptied = false;
        for (int n = 1; n <= 3; n++) {
            network.start(n, 1, 2, 3);
            pause(looks, random.nextInt(4));
        }
        for (int n : kills) {
            pause(looks, random.nextInt(12));
            network.stop(n);
            // Not a second one: the first may not be a member again, and two of three are a
            // majority.
            if (random.nextInt(3) == 0 && !emptied) {
                // Nothing can have been acknowledged to anybody yet but an empty map.
                network.empty(n);
                emptied = true;
            }
            pause(looks, random.nextInt(4));
            network.start(n, 1, 2, 3);
        }
        network.awaitMembers(1, 2, 3);
        Set<String> clusters = ConcurrentHashMap.newKeySet();
        for (ManagerUnderTest manager : network.all()) {
            try {
                clusters.add(manager.heartbeat(report("n1", "")).getClusterId());
            } catch (StatusRuntimeException elsewhere) {
                // It does not lead.
            }
        }
        assertThat(clusters).hasSize(1).doesNotContain("");
    }

    /** Some moments, so that the managers come as far as chance has it. */
    private static void pause(AtomicInteger looks, int moments) {
        int until = looks.get() + moments;
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> looks.getAndIncrement() >= until);
    }
}

package io.parterre.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.deploy.TableCalls;
import io.parterre.deploy.node.RoleName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A cluster of processes that serves, and what tests ask of it. Ends with the test. */
final class ServingCluster implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LocalCluster cluster;
    private final Thread lastResort;

    private ServingCluster(LocalCluster cluster) {
        this.cluster = cluster;
        // A build that is interrupted must not leave processes behind.
        this.lastResort = new Thread(cluster::killAll, "kill-cluster");
    }

    static ServingCluster start(Path folder, LocalClusterPlan plan) throws IOException {
        ServingCluster started =
                new ServingCluster(LocalCluster.create(folder, Path.of("target/parterre"), plan));
        Runtime.getRuntime().addShutdownHook(started.lastResort);
        ShortTimers.write(started.cluster.nodes());
        started.cluster.startAll();
        started.cluster.awaitServing(PATIENCE);
        return started;
    }

    LocalCluster cluster() {
        return cluster;
    }

    @Override
    public void close() {
        cluster.killAll();
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }

    TableCalls through(String frontEnd) {
        return new TableCalls(
                "http://" + cluster.node(frontEnd).address("table"),
                LocalCluster.ACCOUNT,
                LocalCluster.KEY);
    }

    List<String> names(RoleName role) {
        return ClusterFile.of(cluster.nodes(), role).stream().map(LocalNode::name).toList();
    }

    String leader(RoleName role, String metric) {
        return await().atMost(PATIENCE)
                .until(
                        () -> names(role).stream().filter(name -> leads(name, metric)).findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    boolean leads(String name, String metric) {
        return shows(name, metric + " 1.0");
    }

    boolean shows(String name, String metric) {
        return cluster.admin(cluster.node(name), "/metrics")
                .filter(metrics -> metrics.contains("\n" + metric + "\n"))
                .isPresent();
    }

    /**
     * Inserts rows through all front ends in turn, each until it is acknowledged or found there.
     */
    List<String> insert(String table, String prefix, int count) throws InterruptedException {
        List<String> frontEnds = names(RoleName.FRONT_END);
        List<String> acknowledged = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String row = prefix + "-" + i;
            TableCalls calls = through(frontEnds.get(i % frontEnds.size()));
            await().atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> isThere(calls.insert(table, "p", row, "x")));
            acknowledged.add(row);
        }
        return acknowledged;
    }

    /** 409: an earlier try was in doubt, and has been written. */
    private static boolean isThere(int status) {
        return status == 201 || status == 409;
    }

    void assertHeld(String table, List<String> rows) throws IOException, InterruptedException {
        List<String> frontEnds = names(RoleName.FRONT_END);
        TableCalls calls = through(frontEnds.get(frontEnds.size() - 1));
        List<String> lost = new ArrayList<>();
        for (String row : rows) {
            if (calls.read(table, "p", row).statusCode() != 200) {
                lost.add(row);
            }
        }
        assertThat(lost).isEmpty();
    }
}

package io.parterre.server;

import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.manager.FollowerReport;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.server.rpc.CompareConfig;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes whose members compare what they hold every moment, and what breaks one of them. */
abstract class ComparedReplicas {
    static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    static final CompareConfig OFTEN =
            new CompareConfig(Duration.ofMillis(300), 256 << 20, Duration.ofMinutes(5));

    @TempDir Path folder;

    /** Writes one entity after the other until it is closed. */
    static final class Writer implements AutoCloseable {
        private final AtomicBoolean ends = new AtomicBoolean();
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        private final Thread thread;

        Writer(Runnable write) {
            thread =
                    new Thread(
                            () -> {
                                while (!ends.get() && failures.isEmpty()) {
                                    try {
                                        write.run();
                                    } catch (RuntimeException | Error failure) {
                                        failures.add(failure);
                                    }
                                }
                            },
                            "writer");
            thread.start();
        }

        @Override
        public void close() throws InterruptedException {
            ends.set(true);
            thread.join();
            assertThat(failures).isEmpty();
        }
    }

    static double count(TestCluster cluster, String result) {
        return cluster.servers().stream()
                .mapToDouble(
                        server ->
                                server.meters
                                        .get("partition_server_replica_comparisons_total")
                                        .tag("outcome", result)
                                        .counter()
                                        .count())
                .sum();
    }

    static void awaitMore(TestCluster cluster, String result) {
        double before = count(cluster, result);
        await().until(() -> count(cluster, result) >= before + 2);
    }

    /** Changes one byte of an entity, behind the back of the replica. */
    static void flip(TestCluster cluster, String node, String row) {
        ServerStore store = cluster.node(node).server.store();
        byte[] key = Commands.key("p", row).toBytes();
        byte[] value = store.get(key).orElseThrow();
        value[value.length - 1] ^= 1;
        try (StoreBatch batch = new StoreBatch()) {
            batch.put(key, value);
            store.write(batch);
        }
    }

    static long differs(ReplicaReport leader, String node) {
        return leader.getFollowersList().stream()
                .filter(each -> each.getNodeId().equals(node))
                .mapToLong(FollowerReport::getDiffersAt)
                .findFirst()
                .orElse(0);
    }

    static TestCluster cluster(Path folder, CompareConfig config) throws Exception {
        TestCluster cluster =
                TestCluster.in(folder).settings(node -> node.withCompare(config)).start();
        cluster.awaitLeader();
        return cluster;
    }

    /** What a manager does about a member that differs. */
    static void rebuild(TestCluster cluster, String node, long differsAt) {
        List<String> others = THREE.stream().filter(each -> !each.equals(node)).toList();
        cluster.manager.quarantineDiffering(node, 1, differsAt);
        cluster.awaitReport(node, replica -> replica.getState() == ReplicaState.DAMAGED);
        cluster.manager.withdrawOrders();
        assertThat(cluster.reports.replica(node).orElseThrow().getDamage())
                .contains("its rows at entry " + differsAt + " were others");
        cluster.change(1, others);
        cluster.manager.remove(node, 2);
        cluster.awaitGone(node);
        cluster.manager.withdrawOrders();
        cluster.add(node, 2, others);
    }
}

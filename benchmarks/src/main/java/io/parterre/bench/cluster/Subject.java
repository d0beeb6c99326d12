package io.parterre.bench.cluster;

import io.parterre.chaos.client.Account;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.workload.Writers;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A running cluster and the connections to it.
 *
 * @param number makes names of tables that no earlier course used
 */
public record Subject(ClusterProcesses cluster, SplittableRandom random, AtomicInteger number) {
    /** Longer than a front end works on a call. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(45);

    /**
     * Pause of each writer after each write, because eight processes share the machine with the
     * load.
     */
    private static final Duration PACE = Duration.ofMillis(10);

    public Subject(ClusterProcesses cluster, long seed) {
        this(cluster, new SplittableRandom(seed), new AtomicInteger());
    }

    /** Returns a connection through each front end. */
    List<TableConnection> connections() {
        return cluster.tableEndpoints().stream()
                .map(endpoint -> new TableConnection(endpoint, Account.development(), CALL_TIMEOUT))
                .toList();
    }

    /**
     * Returns a connection through each front end, which continues at the next one if its own does
     * not listen.
     */
    List<TableConnection> followingConnections() {
        return TableConnection.following(
                cluster.tableEndpoints(), Account.development(), CALL_TIMEOUT);
    }

    /** Returns a name that no table has. */
    String freshTable(String prefix) {
        return prefix + number.incrementAndGet();
    }

    /** Returns writers on their own table, which is created; they are not started yet. */
    Writers writers(int count, List<TableConnection> connections) {
        Writers writers = new Writers(freshTable("Written"), count, random.nextLong(), PACE);
        connections.get(0).createTable(writers.table());
        return writers;
    }
}

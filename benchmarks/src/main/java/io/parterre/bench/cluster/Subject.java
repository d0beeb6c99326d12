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
 * A running cluster and the ways to it.
 *
 * @param number makes names of tables that no course used before
 */
public record Subject(ClusterProcesses cluster, SplittableRandom random, AtomicInteger number) {
    /** Longer than a front end works on a call. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(45);

    /** Of each writer after each write: eight processes share the machine with the load. */
    private static final Duration PACE = Duration.ofMillis(10);

    public Subject(ClusterProcesses cluster, long seed) {
        this(cluster, new SplittableRandom(seed), new AtomicInteger());
    }

    /** A connection through each front end. */
    List<TableConnection> connections() {
        return cluster.tableEndpoints().stream()
                .map(endpoint -> new TableConnection(endpoint, Account.development(), CALL_TIMEOUT))
                .toList();
    }

    /** The same, each of which goes on by the next front end when nobody listens on its own. */
    List<TableConnection> followingConnections() {
        return TableConnection.following(
                cluster.tableEndpoints(), Account.development(), CALL_TIMEOUT);
    }

    /** A name that no table has. */
    String freshTable(String prefix) {
        return prefix + number.incrementAndGet();
    }

    /** Writers on a table of their own, which is there; not at work yet. */
    Writers writers(int count, List<TableConnection> connections) {
        Writers writers = new Writers(freshTable("Written"), count, random.nextLong(), PACE);
        connections.get(0).createTable(writers.table());
        return writers;
    }
}

package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Account;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.process.Namespaces;
import io.parterre.chaos.process.SettingsLine;
import io.parterre.chaos.workload.Registers;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.local.LocalClusterPlan;
import io.parterre.testing.TestFolders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What every test of a cluster starts from: three managers, three servers and two front ends, in a
 * folder under {@code target} that stays; and a seed, which {@code -Dparterre.chaos.seed=N}
 * repeats.
 */
record ClusterRun(String name, long seed, ClusterProcesses cluster) implements AutoCloseable {
    /**
     * Longer than a front end works on a call: a call it has not answered by then has ended, or
     * ends with it.
     */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(45);

    /** Pause of a writer after each write: eight processes share the machine with the load. */
    static final Duration PACE = Duration.ofMillis(10);

    private static final int VIOLATIONS_SHOWN = 20;

    static ClusterRun start(String name, SettingsLine... settings) {
        return start(name, LocalClusterPlan.of(3, 2), settings);
    }

    static ClusterRun start(String name, LocalClusterPlan plan, SettingsLine... settings) {
        return new ClusterRun(
                name, newSeed(), ClusterProcesses.start(folder(name), plan, List.of(settings)));
    }

    /**
     * Of another distribution than the one that was built, or of several: in plain text, as the
     * earliest of them speak.
     */
    static ClusterRun start(String name, Path distribution) {
        return new ClusterRun(
                name,
                newSeed(),
                ClusterProcesses.start(
                        folder(name),
                        distribution,
                        LocalClusterPlan.of(3, 2).inPlainText(),
                        List.of()));
    }

    /** With a network between the processes. */
    static ClusterRun start(String name, Namespaces machines) {
        return new ClusterRun(
                name,
                newSeed(),
                ClusterProcesses.start(
                        folder(name), machines, LocalClusterPlan.of(3, 2), List.of()));
    }

    private static long newSeed() {
        return Long.getLong("parterre.chaos.seed", System.nanoTime());
    }

    private static Path folder(String name) {
        return TestFolders.create(name);
    }

    SplittableRandom random() {
        return new SplittableRandom(seed);
    }

    /** A connection through each front end. */
    List<TableConnection> connections() {
        return cluster.tableEndpoints().stream()
                .map(endpoint -> new TableConnection(endpoint, Account.development(), CALL_TIMEOUT))
                .toList();
    }

    /** As many, each of which goes on through the other front ends when nobody listens at one. */
    List<TableConnection> followingConnections() {
        return TableConnection.following(
                cluster.tableEndpoints(), Account.development(), CALL_TIMEOUT);
    }

    void assertNone(List<String> violations, String when) {
        assertThat(violations.stream().limit(VIOLATIONS_SHOWN).toList())
                .as(
                        () ->
                                name
                                        + ", "
                                        + when
                                        + ", seed "
                                        + seed
                                        + ", in all "
                                        + violations.size()
                                        + cluster.endOfLogs())
                .isEmpty();
    }

    /** For courses in which no front end is killed or paused. */
    void assertNoFailedCall(Writers writers, Registers registers) {
        List<String> failures = new ArrayList<>(writers.failures());
        failures.addAll(registers.failures());
        assertNone(failures, "calls answered with an error");
        assertThat(writers.unanswered() + registers.unanswered())
                .as("calls without an answer, seed %s", seed)
                .isZero();
    }

    /** The same. */
    void assertNoFailedCall(Writers writers) {
        assertNone(writers.failures(), "writes answered with an error");
        assertThat(writers.unanswered()).as("writes without an answer, seed %s", seed).isZero();
    }

    @Override
    public void close() {
        cluster.close();
    }
}

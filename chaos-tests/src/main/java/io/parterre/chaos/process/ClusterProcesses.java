package io.parterre.chaos.process;

import static org.awaitility.Awaitility.await;

import io.parterre.deploy.local.LocalCluster;
import io.parterre.deploy.local.LocalClusterPlan;
import io.parterre.deploy.local.LocalNode;
import io.parterre.deploy.local.NodeState;
import io.parterre.deploy.node.RoleName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A cluster of processes of the built distribution that ends with the test in any case. Not
 * thread-safe: one thread controls it.
 */
public final class ClusterProcesses implements AutoCloseable {
    private static final Duration START_WITHIN = Duration.ofSeconds(90);
    private static final Duration HEALTHY_WITHIN = Duration.ofMinutes(5);
    private static final Duration END_WITHIN = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final String CRASH_ORDER = "crash-at";

    /** JVM option of processes that look for orders to end themselves, each in its own folder. */
    public static final String CRASH_ORDERS = "-Dparterre.crash.file=" + CRASH_ORDER;

    private static final int LOG_LINES_SHOWN = 25;

    private final LocalCluster cluster;
    private final Operator operator;
    private final Thread lastResort;

    private ClusterProcesses(LocalCluster cluster) {
        this.cluster = cluster;
        this.operator = new Operator(cluster.operatorSettings());
        this.lastResort = new Thread(cluster::killAll, "kill-cluster");
        // An interrupted build must not leave processes behind.
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    /**
     * Starts a cluster of the distribution that the build names and waits until each front end
     * answers clients.
     *
     * @param folder new, or empty
     * @param settings settings of every process besides its own
     */
    public static ClusterProcesses start(
            Path folder, LocalClusterPlan plan, List<SettingsLine> settings) {
        return start(folder, ServerSettings.builtDistribution(), plan, settings);
    }

    /**
     * Starts a cluster with each process on its own machine, as far as the network is concerned.
     */
    public static ClusterProcesses start(
            Path folder, Namespaces machines, LocalClusterPlan plan, List<SettingsLine> settings) {
        Path launching = machines.launching(ServerSettings.builtDistribution(), folder);
        return start(folder, launching, plan.withHosts(machines.addresses()), settings);
    }

    /**
     * Starts a cluster of any distribution.
     *
     * @param distribution unpacked, the folder with {@code bin/parterre}
     */
    public static ClusterProcesses start(
            Path folder, Path distribution, LocalClusterPlan plan, List<SettingsLine> settings) {
        LocalCluster cluster = LocalCluster.create(folder, distribution, plan);
        cluster.nodes().forEach(node -> SettingsLine.write(settings, node.settings()));
        ClusterProcesses processes = new ClusterProcesses(cluster);
        try {
            cluster.startAll();
            cluster.awaitServing(START_WITHIN);
            processes.awaitHealthy();
        } catch (RuntimeException e) {
            processes.close();
            throw e;
        }
        return processes;
    }

    public Operator operator() {
        return operator;
    }

    /** Returns the folder of a process's data. */
    public Path data(String name) {
        return cluster.node(name).data();
    }

    /** Returns the settings file of a process. */
    public Path settings(String name) {
        return cluster.node(name).settings();
    }

    /** Returns the names of all processes of a role, in their order. */
    public List<String> names(RoleName role) {
        return cluster.nodes().stream()
                .filter(node -> node.role() == role)
                .map(LocalNode::name)
                .toList();
    }

    /** Returns the pid of the process of this name. */
    public long pid(String name) {
        return cluster.node(name).pid();
    }

    /** Returns the process's metrics in Prometheus's form; empty if it does not answer. */
    public Optional<String> metrics(String name) {
        return cluster.admin(cluster.node(name), "/metrics");
    }

    /**
     * Returns the addresses of the table service, one for each front end, with the account as their
     * path.
     */
    public List<URI> tableEndpoints() {
        return cluster.tableEndpoints().stream().map(URI::create).toList();
    }

    /** Returns a server that reports leading a range; waits until one does. */
    public String leadingServer() {
        return leading(RoleName.PARTITION_SERVER, this::leads);
    }

    /** Returns the manager that reports leading; waits until one does. */
    public String leadingManager() {
        return leading(
                RoleName.PARTITION_MANAGER, name -> tells(name, "partition_manager_leading"));
    }

    private String leading(RoleName role, Predicate<String> leads) {
        return await("a leader among " + names(role))
                .atMost(HEALTHY_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .until(() -> names(role).stream().filter(leads).findFirst(), Optional::isPresent)
                .orElseThrow();
    }

    /** Returns whether the server reports leading a range. */
    public boolean leads(String server) {
        return tells(server, "partition_server_led_ranges");
    }

    private boolean tells(String name, String metric) {
        return cluster.state(name) == NodeState.RUNNING && metric(name, metric) > 0;
    }

    /** Kills a process with SIGKILL. Returns when it is gone. */
    public void kill(String name) {
        cluster.kill(name);
    }

    /**
     * Makes the process end itself at a moment that the product names, counted from now, without
     * waiting. For clusters whose processes look for such orders, see {@link #CRASH_ORDERS}.
     *
     * @param passage number of the passage of this moment, from 1
     */
    public void crashAt(String name, String moment, int passage) {
        Path order = cluster.node(name).folder().resolve(CRASH_ORDER);
        try {
            Files.writeString(order, moment + ":" + passage);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the process has ended by itself. */
    public void awaitEnd(String name) {
        try {
            await("end of " + name)
                    .atMost(END_WITHIN)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL)
                    .until(() -> isGone(name));
        } catch (ConditionTimeoutException e) {
            throw new IllegalStateException(name + " has not ended" + endOfLogs(), e);
        }
    }

    /** Returns whether the process has ended. */
    public boolean isGone(String name) {
        return cluster.state(name) == NodeState.GONE;
    }

    /** Kills several processes at once with SIGKILL. Returns when all are gone. */
    public void kill(List<String> names) {
        cluster.kill(names);
    }

    /** Stops a process with SIGTERM. Returns when it is gone. */
    public void stop(String name) {
        cluster.stop(name);
    }

    /** Pauses a process with SIGSTOP. Returns when it has stopped. */
    public void pause(String name) {
        cluster.pause(name);
    }

    /** Resumes a process with SIGCONT. */
    public void resume(String name) {
        cluster.resume(name);
    }

    /**
     * Starts all processes that do not run on the data that they left, and waits until the cluster
     * is healthy.
     */
    public void restartAll() {
        cluster.startAll();
        awaitHealthy();
    }

    /** Kills every process at once with SIGKILL. Returns when all are gone. */
    public void killAll() {
        cluster.killAll();
    }

    /** Starts the process on the data that it left, and waits until it reports that it is ready. */
    public void restart(String name) {
        restart(List.of(name));
    }

    /** Starts processes one right after the other in this order, without waiting. */
    public void launch(List<String> names) {
        names.forEach(cluster::start);
    }

    /** Starts processes, and waits until all report that they are ready. */
    public void restart(List<String> names) {
        launch(names);
        names.forEach(name -> cluster.awaitReady(name, HEALTHY_WITHIN));
    }

    /**
     * Returns the value of a metric with exactly these labels, such as {@code {reason="busy"}}; 0
     * if absent.
     */
    public double metric(String name, String metricAndLabels) {
        return cluster.admin(cluster.node(name), "/metrics").stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(metricAndLabels + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(metricAndLabels.length())))
                .findFirst()
                .orElse(0);
    }

    /** Returns the number of lines with a text in the logs of the process and its predecessors. */
    public long logLines(String name, String text) {
        return cluster.node(name).logLines(Integer.MAX_VALUE).stream()
                .filter(line -> line.contains(text))
                .count();
    }

    /** Adds a partition server with a new name, and waits until it is ready. Returns its name. */
    public String addServer() {
        String name = cluster.addServer();
        restart(name);
        return name;
    }

    /** Waits until every running process is ready, and the managers report nothing missing. */
    public void awaitHealthy() {
        try {
            await("a healthy cluster")
                    .atMost(HEALTHY_WITHIN)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL)
                    .until(this::isHealthy);
        } catch (ConditionTimeoutException e) {
            throw new IllegalStateException(
                    "not healthy: " + operator.tryAsk("ranges").orElse(null) + endOfLogs(), e);
        }
    }

    private boolean isHealthy() {
        return cluster.nodes().stream()
                        .filter(node -> cluster.state(node.name()) != NodeState.GONE)
                        .allMatch(cluster::isReady)
                && operator.rangesAreWhole();
    }

    /** Returns the last lines that each process and its predecessors printed. */
    public String endOfLogs() {
        return cluster.nodes().stream()
                .map(
                        node ->
                                "\n--- end of "
                                        + node.log()
                                        + "\n"
                                        + String.join("\n", node.logLines(LOG_LINES_SHOWN)))
                .collect(Collectors.joining());
    }

    /** Kills the processes that still run. */
    @Override
    public void close() {
        cluster.killAll();
        try {
            Runtime.getRuntime().removeShutdownHook(lastResort);
        } catch (IllegalStateException e) {
            // The virtual machine is shutting down and runs the hook itself, which finds nothing
            // left to kill.
            return;
        }
    }
}

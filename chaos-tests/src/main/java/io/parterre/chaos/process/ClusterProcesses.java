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
 * A cluster of processes of the built distribution that ends with the test, whatever comes of it.
 * Not thread-safe: one thread does things to it.
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
        // A build that is interrupted must not leave processes behind.
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    /**
     * Starts a cluster of the distribution that the build names and waits until each front end
     * answers clients.
     *
     * @param folder new, or empty
     * @param settings what every process is told beside its own
     */
    public static ClusterProcesses start(
            Path folder, LocalClusterPlan plan, List<SettingsLine> settings) {
        return start(folder, ServerSettings.builtDistribution(), plan, settings);
    }

    /** The same, each process on a machine of its own as far as the network goes. */
    public static ClusterProcesses start(
            Path folder, Namespaces machines, LocalClusterPlan plan, List<SettingsLine> settings) {
        Path launching = machines.launching(ServerSettings.builtDistribution(), folder);
        return start(folder, launching, plan.withHosts(machines.addresses()), settings);
    }

    /**
     * The same, of any distribution.
     *
     * @param distribution unpacked, the folder that holds {@code bin/parterre}
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

    /** Folder of a process's data. */
    public Path data(String name) {
        return cluster.node(name).data();
    }

    /** Settings file of a process. */
    public Path settings(String name) {
        return cluster.node(name).settings();
    }

    /** Names of all processes of a role, in their order. */
    public List<String> names(RoleName role) {
        return cluster.nodes().stream()
                .filter(node -> node.role() == role)
                .map(LocalNode::name)
                .toList();
    }

    /** Pid of the process of this name. */
    public long pid(String name) {
        return cluster.node(name).pid();
    }

    /** What the process measures of itself, as Prometheus reads it. */
    public Optional<String> metrics(String name) {
        return cluster.admin(cluster.node(name), "/metrics");
    }

    /** Addresses of the table service, one of each front end, with the account as their path. */
    public List<URI> tableEndpoints() {
        return cluster.tableEndpoints().stream().map(URI::create).toList();
    }

    /** A server that says of itself that it leads a range; waits until one does. */
    public String leadingServer() {
        return leading(RoleName.PARTITION_SERVER, this::leads);
    }

    /** The manager that says of itself that it leads; waits until one does. */
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

    /** Whether the server says of itself that it leads a range. */
    public boolean leads(String server) {
        return tells(server, "partition_server_led_ranges");
    }

    private boolean tells(String name, String metric) {
        return cluster.state(name) == NodeState.RUNNING && metric(name, metric) > 0;
    }

    /** SIGKILL. Returns when the process is gone. */
    public void kill(String name) {
        cluster.kill(name);
    }

    /**
     * Has the process end itself at a moment that the product names, counted from now, and waits
     * for nothing. For clusters whose processes look for such orders, see {@link #CRASH_ORDERS}.
     *
     * @param passage the first is 1
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

    /** Whether the process has ended. */
    public boolean isGone(String name) {
        return cluster.state(name) == NodeState.GONE;
    }

    /** SIGKILL to several at once. Returns when all are gone. */
    public void kill(List<String> names) {
        cluster.kill(names);
    }

    /** SIGTERM. Returns when the process is gone. */
    public void stop(String name) {
        cluster.stop(name);
    }

    /** SIGSTOP. Returns when the process has stopped. */
    public void pause(String name) {
        cluster.pause(name);
    }

    /** SIGCONT. */
    public void resume(String name) {
        cluster.resume(name);
    }

    /** Starts what does not run on what it left behind, and waits until the cluster is whole. */
    public void restartAll() {
        cluster.startAll();
        awaitHealthy();
    }

    /** SIGKILL to every process at once. Returns when all are gone. */
    public void killAll() {
        cluster.killAll();
    }

    /** Starts the process on what it left behind, and waits until it says that it is ready. */
    public void restart(String name) {
        restart(List.of(name));
    }

    /** Starts processes one right after the other in this order, and waits for nothing. */
    public void launch(List<String> names) {
        names.forEach(cluster::start);
    }

    /** The same, and waits until all say that they are ready. */
    public void restart(List<String> names) {
        launch(names);
        names.forEach(name -> cluster.awaitReady(name, HEALTHY_WITHIN));
    }

    /** The value of a metric that has no other labels than these, as {@code {reason="busy"}}. */
    public double metric(String name, String metricAndLabels) {
        return cluster.admin(cluster.node(name), "/metrics").stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(metricAndLabels + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(metricAndLabels.length())))
                .findFirst()
                .orElse(0);
    }

    /** Lines of the logs of the process and its predecessors that contain a text. */
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

    /** Waits until every process that runs is ready, and the managers miss nothing. */
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

    /** The last lines that each process and its predecessors printed. */
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

    /** Kills what still runs. */
    @Override
    public void close() {
        cluster.killAll();
        try {
            Runtime.getRuntime().removeShutdownHook(lastResort);
        } catch (IllegalStateException e) {
            // The virtual machine is going down and runs the hook itself; it finds nothing left.
            return;
        }
    }
}

package io.parterre.deploy.local;

import io.parterre.deploy.admin.AdminProbe;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.node.DevelopmentAccount;
import io.parterre.deploy.node.RoleName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A cluster of processes on this machine: partition managers {@code m1...}, partition servers
 * {@code s1...}, front ends {@code f1...}, each with a folder under the cluster's own. Ports are
 * chosen when the cluster is made and kept. Several programs may work on one folder: each change of
 * what runs is made under a lock, and read from the file. Not thread-safe.
 *
 * <p>Has the development account, whose key everybody knows, and listens on loopback only, unless
 * its plan says otherwise.
 */
public final class LocalCluster {
    public static final String ACCOUNT = DevelopmentAccount.NAME;
    public static final String KEY = DevelopmentAccount.KEY;

    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

    /** Only managers are told how many replicas a range has. */
    private static final int NO_MANAGER = 0;

    private final Path folder;
    private final Path launcher;

    private LocalCluster(Path folder, Path launcher) {
        this.folder = folder;
        this.launcher = launcher;
    }

    /** Whether the folder holds a cluster. */
    public static boolean isIn(Path folder) {
        return ClusterFile.exists(folder);
    }

    /**
     * Makes a cluster and starts nothing.
     *
     * @param distribution unpacked distribution, the folder that holds {@code bin/parterre}
     * @throws LocalClusterException if the folder is not empty
     */
    public static LocalCluster create(Path folder, Path distribution, LocalClusterPlan plan) {
        LocalCluster cluster = new LocalCluster(absolute(folder), launcher(distribution));
        cluster.locked(
                () -> {
                    cluster.requireFresh();
                    List<LocalNode> nodes = plan.nodes(cluster.folder);
                    OperatorToken token = TokenFile.make(cluster.folder);
                    if (plan.tls()) {
                        LocalCertificates.make(cluster.folder, nodes);
                        EncryptionKeyFile.make(cluster.folder);
                    }
                    OperatorSettings.write(cluster.folder, nodes);
                    for (LocalNode node : nodes) {
                        NodeSettings.write(node, nodes, plan.replicas(), token);
                    }
                    ClusterFile.write(cluster.folder, nodes, plan.jvmOptions());
                    return nodes;
                });
        return cluster;
    }

    /**
     * The cluster of a folder.
     *
     * @throws LocalClusterException if there is none
     */
    public static LocalCluster open(Path folder, Path distribution) {
        Path absolute = absolute(folder);
        if (!isIn(absolute)) {
            throw new LocalClusterException("no cluster in " + absolute + "; make one with 'up'");
        }
        return new LocalCluster(absolute, launcher(distribution));
    }

    private static Path absolute(Path folder) {
        return folder.toAbsolutePath().normalize();
    }

    private static Path launcher(Path distribution) {
        Path launcher = absolute(distribution).resolve("bin/parterre");
        if (!Files.isExecutable(launcher)) {
            throw new LocalClusterException("no distribution: cannot run " + launcher);
        }
        return launcher;
    }

    private void requireFresh() throws IOException {
        try (var files = Files.list(folder)) {
            Optional<Path> other =
                    files.filter(file -> !file.getFileName().toString().equals("lock")).findFirst();
            if (other.isPresent()) {
                throw new LocalClusterException(
                        folder + " holds other things, as " + other.get().getFileName());
            }
        }
    }

    @FunctionalInterface
    private interface Work<T> {
        T run() throws IOException;
    }

    private <T> T locked(Work<T> work) {
        try {
            Files.createDirectories(folder);
            try (FileChannel file =
                            FileChannel.open(
                                    folder.resolve("lock"),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE);
                    FileLock lock = file.lock()) {
                if (!lock.isValid()) {
                    throw new LocalClusterException(folder + " cannot be locked");
                }
                return work.run();
            }
        } catch (IOException e) {
            throw new LocalClusterException(folder + " cannot be used: " + e, e);
        }
    }

    /** All processes, managers first. */
    public List<LocalNode> nodes() {
        try {
            return ClusterFile.nodes(folder);
        } catch (IOException e) {
            throw new LocalClusterException(folder + " cannot be read: " + e, e);
        }
    }

    /**
     * The process of this name.
     *
     * @throws LocalClusterException if there is none
     */
    public LocalNode node(String name) {
        List<LocalNode> nodes = nodes();
        return nodes.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new LocalClusterException(
                                        "no node '"
                                                + name
                                                + "' (expected: one of "
                                                + nodes.stream().map(LocalNode::name).toList()
                                                + ")"));
    }

    /** Addresses of the table service, one of each front end, with the account as their path. */
    public List<String> tableEndpoints() {
        return ClusterFile.of(nodes(), RoleName.FRONT_END).stream()
                .map(ClusterFile::tableEndpoint)
                .toList();
    }

    /** What a client takes to reach a front end at this address of the table service. */
    public static String connectionString(String tableEndpoint) {
        return "DefaultEndpointsProtocol=http;AccountName="
                + ACCOUNT
                + ";AccountKey="
                + KEY
                + ";TableEndpoint="
                + tableEndpoint
                + ";";
    }

    /** Where its settings, logs and data are. */
    public Path folder() {
        return folder;
    }

    /** File of the secret that calls with data loss have to carry. */
    public Path operatorTokenFile() {
        return TokenFile.in(folder);
    }

    /**
     * Settings file of operators' commands: where the managers are, and an admin's certificate if
     * processes have certificates.
     */
    public Path operatorSettings() {
        return OperatorSettings.in(folder);
    }

    /** Whether processes have certificates and talk TLS to each other. */
    public boolean hasCertificates() {
        return LocalCertificates.areIn(folder);
    }

    /** Addresses of the managers' services, for operators. */
    public List<String> managers() {
        return ClusterFile.of(nodes(), RoleName.PARTITION_MANAGER).stream()
                .map(node -> node.address("service"))
                .toList();
    }

    /**
     * Adds a partition server, under a name that none had before, and does not start it.
     *
     * @return its name
     */
    public String addServer() {
        return locked(
                () -> {
                    List<LocalNode> nodes = new ArrayList<>(nodes());
                    int servers = ClusterFile.of(nodes, RoleName.PARTITION_SERVER).size();
                    LocalNode added =
                            LocalClusterPlan.server(
                                    "s" + (servers + 1),
                                    LoopbackPorts.HOST,
                                    LoopbackPorts.besides(nodes),
                                    folder);
                    nodes.add(added);
                    if (LocalCertificates.areIn(folder)) {
                        LocalCertificates.add(folder, added);
                    }
                    NodeSettings.write(added, nodes, NO_MANAGER, TokenFile.read(folder));
                    ClusterFile.write(folder, nodes, ClusterFile.jvmOptions(folder));
                    return added.name();
                });
    }

    /** Starts what does not run. Waits for nothing. */
    public void startAll() {
        nodes().forEach(node -> start(node.name()));
    }

    /** Starts the process, unless it runs. Waits for nothing. */
    public void start(String name) {
        locked(
                () -> {
                    LocalNode node = node(name);
                    if (NodeProcess.find(node).isEmpty()) {
                        NodeProcess started =
                                NodeProcess.start(node, launcher, ClusterFile.jvmOptions(folder));
                        remember(node.withPid(started.pid()));
                    }
                    return node;
                });
    }

    private void remember(LocalNode changed) throws IOException {
        List<LocalNode> nodes =
                nodes().stream()
                        .map(each -> each.name().equals(changed.name()) ? changed : each)
                        .toList();
        ClusterFile.write(folder, nodes, ClusterFile.jvmOptions(folder));
    }

    /**
     * Waits until a client's call is answered by each front end that runs.
     *
     * @throws LocalClusterException if a process ends before, or the time does
     */
    public void awaitServing(Duration time) {
        ServingCall call = new ServingCall();
        for (LocalNode node : ClusterFile.of(nodes(), RoleName.FRONT_END)) {
            await(
                    time,
                    "a call through " + node.name(),
                    () -> call.answer(ClusterFile.tableEndpoint(node), ACCOUNT, KEY),
                    "200"::equals,
                    nodes());
        }
    }

    /**
     * Waits until the process says that it is ready.
     *
     * @throws LocalClusterException if it ends before, or the time does
     */
    public void awaitReady(String name, Duration time) {
        LocalNode node = node(name);
        await(
                time,
                "readiness of " + name,
                () -> NodeProbe.readiness(node),
                NodeProbe.READY::equals,
                List.of(node));
    }

    @FunctionalInterface
    private interface Look {
        String now() throws InterruptedException;
    }

    private void await(
            Duration time,
            String what,
            Look look,
            Predicate<String> enough,
            List<LocalNode> involved) {
        long endNanos = System.nanoTime() + time.toNanos();
        try {
            for (String seen = look.now(); !enough.test(seen); seen = look.now()) {
                for (LocalNode node : involved) {
                    if (NodeProcess.find(node(node.name())).isEmpty()) {
                        throw new LocalClusterException(
                                node.name() + " has ended" + node.endOfLog());
                    }
                }
                if (System.nanoTime() > endNanos) {
                    throw new LocalClusterException(
                            "waited "
                                    + time.toSeconds()
                                    + " s for "
                                    + what
                                    + " in vain, last: "
                                    + seen
                                    + involved.get(involved.size() - 1).endOfLog());
                }
                Thread.sleep(POLL.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LocalClusterException("interrupted while waiting for " + what, e);
        }
    }

    /** What the process is doing. */
    public NodeState state(String name) {
        Optional<NodeProcess> process = NodeProcess.find(node(name));
        try {
            if (process.isEmpty()) {
                return NodeState.GONE;
            }
            return process.get().isPaused() ? NodeState.PAUSED : NodeState.RUNNING;
        } catch (IOException e) {
            throw new LocalClusterException("cannot look at " + name + ": " + e, e);
        }
    }

    /** Whether it says that it serves; false as well if it says nothing. */
    public boolean isReady(LocalNode node) {
        return admin(node, "/readyz").isPresent();
    }

    /** What a port for operators answers with 200; empty: anything else, or nothing. */
    public Optional<String> admin(LocalNode node, String path) {
        return NodeProbe.of(node, path).filter(AdminProbe::isOk).map(AdminProbe::text);
    }

    /** SIGKILL: nothing is flushed, nobody is told. Returns when the process is gone. */
    public void kill(String name) {
        NodeProcess process = running(name);
        process.kill();
        requireEnd(name, process, KILL_TIMEOUT);
    }

    /** SIGKILL to several at once. Returns when all are gone. */
    public void kill(List<String> names) {
        List<NodeProcess> processes = names.stream().map(this::running).toList();
        processes.forEach(NodeProcess::kill);
        for (int i = 0; i < processes.size(); i++) {
            requireEnd(names.get(i), processes.get(i), KILL_TIMEOUT);
        }
    }

    /** SIGTERM: the process ends in order. Returns when it is gone. */
    public void stop(String name) {
        NodeProcess process = running(name);
        process.terminate();
        requireEnd(name, process, STOP_TIMEOUT);
    }

    private void requireEnd(String name, NodeProcess process, Duration within) {
        if (!process.awaitEnd(within)) {
            throw new LocalClusterException(
                    name + " has not ended within " + within.toSeconds() + " s");
        }
    }

    /** SIGSTOP. Returns when the process has stopped. */
    public void pause(String name) {
        NodeProcess process = running(name);
        try {
            process.pause();
        } catch (IOException e) {
            throw new LocalClusterException("cannot pause " + name + ": " + e, e);
        }
        await(
                KILL_TIMEOUT,
                "stop of " + name,
                () -> state(name).name(),
                NodeState.PAUSED.name()::equals,
                List.of(node(name)));
    }

    /** SIGCONT. */
    public void resume(String name) {
        try {
            running(name).resume();
        } catch (IOException e) {
            throw new LocalClusterException("cannot resume " + name + ": " + e, e);
        }
    }

    private NodeProcess running(String name) {
        return NodeProcess.find(node(name))
                .orElseThrow(() -> new LocalClusterException(name + " does not run"));
    }

    /**
     * Ends every process of the cluster, front ends first and managers last; kills what does not
     * end in time. Data stays.
     */
    public void down() {
        locked(
                () -> {
                    for (RoleName role :
                            List.of(
                                    RoleName.FRONT_END,
                                    RoleName.PARTITION_SERVER,
                                    RoleName.PARTITION_MANAGER)) {
                        end(ClusterFile.of(nodes(), role));
                    }
                    return folder;
                });
    }

    private void end(List<LocalNode> nodes) throws IOException {
        List<NodeProcess> running =
                nodes.stream().flatMap(node -> NodeProcess.find(node).stream()).toList();
        for (NodeProcess process : running) {
            boolean paused = process.isPaused();
            process.terminate();
            if (paused) {
                // Only then it hears of its end.
                process.resume();
            }
        }
        for (NodeProcess process : running) {
            if (!process.awaitEnd(STOP_TIMEOUT)) {
                process.kill();
                process.awaitEnd(KILL_TIMEOUT);
            }
        }
    }

    /** Kills every process of the cluster at once. */
    public void killAll() {
        List<NodeProcess> running =
                nodes().stream().flatMap(node -> NodeProcess.find(node).stream()).toList();
        running.forEach(NodeProcess::kill);
        running.forEach(process -> process.awaitEnd(KILL_TIMEOUT));
    }
}

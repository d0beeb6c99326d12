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
 * {@code s1...}, front ends {@code f1...}, each with a folder in the cluster's own. Ports are
 * chosen when the cluster is made and kept. Several programs may use one folder: each change of the
 * running processes is made under a lock, from the state in the file. Not thread-safe.
 *
 * <p>Has the development account, whose key is public, and listens only on loopback, unless its
 * plan says otherwise.
 */
public final class LocalCluster {
    public static final String ACCOUNT = DevelopmentAccount.NAME;
    public static final String KEY = DevelopmentAccount.KEY;

    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

    /** Value for other roles, because only managers are told the number of replicas of a range. */
    private static final int NO_MANAGER = 0;

    private final Path folder;
    private final Path launcher;

    private LocalCluster(Path folder, Path launcher) {
        this.folder = folder;
        this.launcher = launcher;
    }

    /** Returns whether the folder contains a cluster. */
    public static boolean isIn(Path folder) {
        return ClusterFile.exists(folder);
    }

    /**
     * Makes a cluster and starts nothing.
     *
     * @param distribution unpacked distribution, the folder with {@code bin/parterre}
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
     * Opens the cluster in a folder.
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

    /** Returns all processes, managers first. */
    public List<LocalNode> nodes() {
        try {
            return ClusterFile.nodes(folder);
        } catch (IOException e) {
            throw new LocalClusterException(folder + " cannot be read: " + e, e);
        }
    }

    /**
     * Returns the process of this name.
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

    /**
     * Returns the addresses of the table service, one for each front end, with the account as their
     * path.
     */
    public List<String> tableEndpoints() {
        return ClusterFile.of(nodes(), RoleName.FRONT_END).stream()
                .map(ClusterFile::tableEndpoint)
                .toList();
    }

    /** Returns the connection string of a front end at this address of the table service. */
    public static String connectionString(String tableEndpoint) {
        return "DefaultEndpointsProtocol=http;AccountName="
                + ACCOUNT
                + ";AccountKey="
                + KEY
                + ";TableEndpoint="
                + tableEndpoint
                + ";";
    }

    /** Returns the folder of settings, logs and data. */
    public Path folder() {
        return folder;
    }

    /** Returns the file of the secret that calls with data loss must carry. */
    public Path operatorTokenFile() {
        return TokenFile.in(folder);
    }

    /**
     * Returns the settings file of operators' commands, with the managers' addresses, and an
     * admin's certificate if processes have certificates.
     */
    public Path operatorSettings() {
        return OperatorSettings.in(folder);
    }

    /** Returns whether processes have certificates and use TLS with each other. */
    public boolean hasCertificates() {
        return LocalCertificates.areIn(folder);
    }

    /** Returns the addresses of the managers' services, for operators. */
    public List<String> managers() {
        return ClusterFile.of(nodes(), RoleName.PARTITION_MANAGER).stream()
                .map(node -> node.address("service"))
                .toList();
    }

    /**
     * Adds a partition server under a new name, without starting it.
     *
     * @return name of the server
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

    /** Starts all processes that do not run. Does not wait. */
    public void startAll() {
        nodes().forEach(node -> start(node.name()));
    }

    /** Starts the process, unless it runs. Does not wait. */
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
     * Waits until each running front end answers a client's call.
     *
     * @throws LocalClusterException if a process ends before, or the time is over
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
     * Waits until the process reports that it is ready.
     *
     * @throws LocalClusterException if the process ends before, or the time is over
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

    /** Returns the state of the process. */
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

    /** Returns whether the node reports that it serves; false also if it does not answer. */
    public boolean isReady(LocalNode node) {
        return admin(node, "/readyz").isPresent();
    }

    /**
     * Returns what the port for operators answers with 200; empty for any other answer, or none.
     */
    public Optional<String> admin(LocalNode node, String path) {
        return NodeProbe.of(node, path).filter(AdminProbe::isOk).map(AdminProbe::text);
    }

    /**
     * Kills a process with SIGKILL: nothing is flushed, no one is told. Returns when the process is
     * gone.
     */
    public void kill(String name) {
        NodeProcess process = running(name);
        process.kill();
        requireEnd(name, process, KILL_TIMEOUT);
    }

    /** Kills several processes at once with SIGKILL. Returns when all are gone. */
    public void kill(List<String> names) {
        List<NodeProcess> processes = names.stream().map(this::running).toList();
        processes.forEach(NodeProcess::kill);
        for (int i = 0; i < processes.size(); i++) {
            requireEnd(names.get(i), processes.get(i), KILL_TIMEOUT);
        }
    }

    /** Stops a process in order with SIGTERM. Returns when it is gone. */
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

    /** Pauses a process with SIGSTOP. Returns when it has stopped. */
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

    /** Resumes a process with SIGCONT. */
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
     * Ends all processes of the cluster, front ends first and managers last; kills processes that
     * do not end in time. Data stays.
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
                // A paused process handles SIGTERM only after it is resumed.
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

    /** Kills all processes of the cluster at once. */
    public void killAll() {
        List<NodeProcess> running =
                nodes().stream().flatMap(node -> NodeProcess.find(node).stream()).toList();
        running.forEach(NodeProcess::kill);
        running.forEach(process -> process.awaitEnd(KILL_TIMEOUT));
    }
}

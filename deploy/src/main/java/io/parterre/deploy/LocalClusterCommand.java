package io.parterre.deploy;

import io.parterre.deploy.local.LocalCluster;
import io.parterre.deploy.local.LocalClusterPlan;
import io.parterre.deploy.local.LocalNode;
import io.parterre.deploy.local.NodeState;
import io.parterre.deploy.node.RoleName;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code parterre local-cluster}: runs a cluster of processes on this machine, for development. */
@Command(
        name = "local-cluster",
        description = {
            "Runs a cluster of processes on this machine, for development and tests: it listens on",
            "loopback only and has the well-known account devstoreaccount1. What runs where stands",
            "in DIR/cluster.json."
        },
        footer = {
            "  parterre local-cluster up",
            "  parterre local-cluster up --servers 5 --front-ends 1 --dir /tmp/five",
            "  parterre local-cluster kill s1       as a crash would, and then:",
            "  parterre local-cluster start s1",
            "  parterre local-cluster down"
        })
final class LocalClusterCommand extends CommandGroup {
    private static final Duration SERVE_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(1);

    private static final String NODE = "Name of the process, as 'status' shows it: m1, s1, f1.";

    /** Parameter for the processes. */
    static final class Nodes {
        @Parameters(
                paramLabel = "NODE",
                description = "Names of processes, as 'status' shows them: m1, s1, f1.",
                arity = "1..*")
        private List<String> names = List.of();
    }

    /** Option for the cluster's folder. */
    static final class Folder {
        @Option(
                names = "--dir",
                paramLabel = "DIR",
                description = "Folder of the cluster. Default: ${DEFAULT-VALUE}.",
                defaultValue = "parterre-cluster")
        private Path dir;

        /** Opens the existing cluster. */
        LocalCluster cluster() {
            return LocalCluster.open(dir, distribution());
        }

        /** Returns the folder of the distribution, which the script that starts us sets. */
        private static Path distribution() {
            return Path.of(
                    Optional.ofNullable(System.getProperty("parterre.distribution"))
                            .orElseThrow(
                                    () ->
                                            new IllegalStateException(
                                                    "parterre.distribution: not set (expected: the"
                                                            + " folder that holds bin/parterre)")));
        }
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    @Command(
            name = "up",
            description = {
                "Makes a cluster, or starts what does not run of the one that is there, and waits",
                "until a call is answered through each front end."
            },
            mixinStandardHelpOptions = true)
    void up(
            @Mixin Folder folder,
            @Option(
                            names = "--managers",
                            paramLabel = "N",
                            description = "Partition managers: 1, 3 or 5. Default: 3.")
                    Integer managers,
            @Option(
                            names = "--servers",
                            paramLabel = "N",
                            description = "Partition servers. Default: 3.")
                    Integer servers,
            @Option(
                            names = "--front-ends",
                            paramLabel = "N",
                            description = "Front ends. Default: 2.")
                    Integer frontEnds,
            @Option(
                            names = "--plain",
                            description = {
                                "Processes talk in plain text, and managers keep account keys in clear.",
                                "Default: TLS, with certificates of the cluster's own, and encrypted keys;",
                                "clients are served in plain text in either case."
                            })
                    boolean plain) {
        LocalCluster cluster;
        if (LocalCluster.isIn(folder.dir)) {
            cluster = folder.cluster();
            requireSame(cluster, RoleName.PARTITION_MANAGER, "--managers", managers);
            requireSame(cluster, RoleName.PARTITION_SERVER, "--servers", servers);
            requireSame(cluster, RoleName.FRONT_END, "--front-ends", frontEnds);
            requireAsMade(cluster, plain);
        } else {
            cluster =
                    LocalCluster.create(
                            folder.dir,
                            Folder.distribution(),
                            plan(managers, servers, frontEnds, plain));
        }
        cluster.startAll();
        cluster.awaitServing(SERVE_TIMEOUT);
        tell(cluster);
    }

    /** Prints where clients and operators find the cluster. */
    private void tell(LocalCluster cluster) {
        List<String> managers = cluster.managers();
        out().println("cluster serves, in " + cluster.folder());
        out().println("managers: " + String.join(",", managers));
        out().println("  parterre status --config " + cluster.operatorSettings());
        out().println("token for calls that give up data: " + cluster.operatorTokenFile());
        out().println("connection strings, of which each client takes one:");
        for (String endpoint : cluster.tableEndpoints()) {
            out().println("  " + LocalCluster.connectionString(endpoint));
        }
    }

    private LocalClusterPlan plan(
            Integer managers, Integer servers, Integer frontEnds, boolean plain) {
        try {
            LocalClusterPlan sized =
                    LocalClusterPlan.of(
                            Optional.ofNullable(servers).orElse(3),
                            Optional.ofNullable(frontEnds).orElse(2));
            return new LocalClusterPlan(
                    Optional.ofNullable(managers).orElse(sized.managers()),
                    sized.servers(),
                    sized.frontEnds(),
                    sized.replicas(),
                    jvmOptions(),
                    Map.of(),
                    !plain);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), e.getMessage(), e);
        }
    }

    /** Returns JVM options for the nodes, not for this process, which ends at once. */
    private static List<String> jvmOptions() {
        String options = System.getenv("PARTERRE_NODE_JAVA_OPTS");
        return options == null ? List.of() : Arrays.asList(options.strip().split("\\s+"));
    }

    private void requireSame(LocalCluster cluster, RoleName role, String flag, Integer wanted) {
        long have = cluster.nodes().stream().filter(node -> node.role() == role).count();
        if (wanted != null && wanted != have) {
            throw new ParameterException(
                    spec().commandLine(),
                    flag + ": " + wanted + " (expected: " + have + ", as the cluster was made)");
        }
    }

    private void requireAsMade(LocalCluster cluster, boolean plain) {
        if (plain && cluster.hasCertificates()) {
            throw new ParameterException(
                    spec().commandLine(),
                    "--plain (expected: without, as the cluster was made with certificates)");
        }
    }

    @Command(
            name = "down",
            description = "Ends all processes in order; the data stays.",
            mixinStandardHelpOptions = true)
    void down(@Mixin Folder folder) {
        folder.cluster().down();
    }

    @Command(
            name = "status",
            description = "Shows each process, whether it runs and whether it serves.",
            mixinStandardHelpOptions = true)
    void status(@Mixin Folder folder) {
        LocalCluster cluster = folder.cluster();
        out().printf(
                        "%-6s %-18s %-8s %-8s %-10s %s%n",
                        "NODE", "ROLE", "PID", "STATE", "SERVES", "PORTS");
        for (LocalNode node : cluster.nodes()) {
            NodeState state = cluster.state(node.name());
            out().printf(
                            "%-6s %-18s %-8s %-8s %-10s %s%n",
                            node.name(),
                            node.role().command(),
                            state == NodeState.GONE ? "-" : Long.toString(node.pid()),
                            state.name().toLowerCase(java.util.Locale.ROOT),
                            state == NodeState.RUNNING && cluster.isReady(node) ? "yes" : "no",
                            ports(node.ports()));
        }
    }

    private static String ports(Map<String, Integer> ports) {
        return new TreeMap<>(ports)
                .entrySet().stream()
                        .map(port -> port.getKey() + "=" + port.getValue())
                        .collect(Collectors.joining(" "));
    }

    /**
     * Returns the names unchanged if all of them exist; otherwise fails before any process is
     * touched.
     */
    private List<String> named(LocalCluster cluster, List<String> names) {
        List<String> have = cluster.nodes().stream().map(LocalNode::name).toList();
        for (String name : names) {
            if (!have.contains(name)) {
                throw new ParameterException(
                        spec().commandLine(),
                        "NODE: " + name + " (expected: one of " + String.join(", ", have) + ")");
            }
        }
        return names;
    }

    private void forEach(Folder folder, Nodes nodes, BiConsumer<LocalCluster, String> action) {
        LocalCluster cluster = folder.cluster();
        named(cluster, nodes.names).forEach(name -> action.accept(cluster, name));
    }

    @Command(
            name = "kill",
            description = "Ends processes by SIGKILL, as a crash or a loss of power would.",
            mixinStandardHelpOptions = true)
    void kill(@Mixin Folder folder, @Mixin Nodes nodes) {
        forEach(folder, nodes, LocalCluster::kill);
    }

    @Command(
            name = "stop",
            description = "Ends processes by SIGTERM, in order, one after the other.",
            mixinStandardHelpOptions = true)
    void stop(@Mixin Folder folder, @Mixin Nodes nodes) {
        forEach(folder, nodes, LocalCluster::stop);
    }

    @Command(
            name = "start",
            description = "Starts processes that have ended, on their old ports and data.",
            mixinStandardHelpOptions = true)
    void start(
            @Mixin Folder folder,
            @Mixin Nodes nodes,
            @Option(names = "--no-wait", description = "Does not wait until they serve.")
                    boolean noWait) {
        LocalCluster cluster = folder.cluster();
        // All are started before the first wait, because one may not become ready without the
        // others.
        named(cluster, nodes.names).forEach(cluster::start);
        if (!noWait) {
            nodes.names.forEach(node -> cluster.awaitReady(node, READY_TIMEOUT));
        }
    }

    @Command(
            name = "pause",
            description = "Stops processes by SIGSTOP: they hold their sockets and do nothing.",
            mixinStandardHelpOptions = true)
    void pause(@Mixin Folder folder, @Mixin Nodes nodes) {
        forEach(folder, nodes, LocalCluster::pause);
    }

    @Command(
            name = "resume",
            description = "Lets paused processes go on.",
            mixinStandardHelpOptions = true)
    void resume(@Mixin Folder folder, @Mixin Nodes nodes) {
        forEach(folder, nodes, LocalCluster::resume);
    }

    @Command(
            name = "logs",
            description = "Prints the end of a process's log.",
            mixinStandardHelpOptions = true)
    void logs(
            @Mixin Folder folder,
            @Parameters(paramLabel = "NODE", description = NODE) String node,
            @Option(
                            names = "--lines",
                            paramLabel = "N",
                            description = "Lines to print. Default: ${DEFAULT-VALUE}.",
                            defaultValue = "100")
                    int lines) {
        LocalCluster cluster = folder.cluster();
        named(cluster, List.of(node));
        cluster.node(node).logLines(lines).forEach(out()::println);
    }
}

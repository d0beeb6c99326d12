package io.parterre.deploy.local;

import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.parterre.deploy.TableCalls;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.node.ClusterNode;
import io.parterre.deploy.node.RoleName;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/**
 * Nodes of one cluster in this process, with the settings of a local cluster: managers m1 and on,
 * servers s1 and on, and the front end f1. A test starts and stops each. Safe for any thread.
 */
final class NodesInProcess implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(90);

    final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<LocalNode> nodes = new ArrayList<>();
    private final Map<String, ClusterNode> running = new ConcurrentSkipListMap<>();
    private final NetworkTransport transport = new NetworkTransport();
    private final int replicas;
    private final OperatorToken token;
    private final Function<RoleName, List<FlagSetting>> settings;

    /** None of the nodes runs yet. */
    NodesInProcess(
            Path folder,
            int managers,
            int servers,
            int replicas,
            OperatorToken token,
            Function<RoleName, List<FlagSetting>> settings) {
        this.replicas = replicas;
        this.token = token;
        this.settings = settings;
        LoopbackPorts ports = new LoopbackPorts();
        for (int i = 1; i <= managers; i++) {
            add(folder, "m" + i, RoleName.PARTITION_MANAGER, ports, "raft", "service", "admin");
        }
        for (int i = 1; i <= servers; i++) {
            add(folder, "s" + i, RoleName.PARTITION_SERVER, ports, "raft", "service", "admin");
        }
        add(folder, "f1", RoleName.FRONT_END, ports, "table", "admin");
    }

    private void add(Path folder, String name, RoleName role, LoopbackPorts ports, String... uses) {
        Map<String, Integer> chosen = new TreeMap<>();
        for (String use : uses) {
            chosen.put(use, ports.next());
        }
        nodes.add(new LocalNode(name, role, 0, "127.0.0.1", chosen, folder.resolve(name)));
    }

    LocalNode node(String name) {
        return nodes.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    /** Names of the managers that run, in their order. */
    List<String> runningManagers() {
        return running.keySet().stream().filter(name -> name.startsWith("m")).toList();
    }

    void startAll() throws Exception {
        for (LocalNode node : nodes) {
            start(node.name());
        }
    }

    void start(String... names) throws Exception {
        for (String name : names) {
            LocalNode node = node(name);
            NodeSettings.write(node, nodes, replicas, token);
            running.put(
                    name,
                    ClusterNode.start(
                            node.role(),
                            ConfigReader.read(
                                            Optional.of(node.settings()),
                                            Map.of(),
                                            settings.apply(node.role()))
                                    .config(),
                            "test",
                            (what, cause) -> failures.add(name + ": " + what)));
        }
    }

    void stop(String name) {
        running.remove(name).close();
    }

    ManagedChannel connect(String manager) {
        return transport.connect(
                HostPort.parse(node(manager).address("service")), PeerName.any(PeerRole.MANAGER));
    }

    /** Calls of a client, once the cluster has this table. */
    TableCalls awaitTable(String name) {
        TableCalls calls =
                new TableCalls(
                        "http://" + node("f1").address("table"),
                        LocalCluster.ACCOUNT,
                        LocalCluster.KEY);
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> List.of(201, 409).contains(calls.createTable(name)));
        return calls;
    }

    /** Whether a range has so many healthy members and nothing is under way. */
    static boolean isSettled(RangeStatus range, int members) {
        return range.getMembersCount() == members
                && !range.hasMove()
                && !range.getLeader().isEmpty()
                && range.getMembersList().stream()
                        .noneMatch(each -> each.getJoining() || each.getMissing());
    }

    /** Side by side: each waits for its connections to the others to end. */
    @Override
    public void close() {
        running.values().parallelStream().forEach(ClusterNode::close);
        transport.close();
    }
}

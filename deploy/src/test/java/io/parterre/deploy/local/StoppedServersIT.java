package io.parterre.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.TableCalls;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.node.ClusterNode;
import io.parterre.deploy.node.RoleName;
import io.parterre.file.DurableFiles;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.DecommissionNodeRequest;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.manager.NodeState;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four servers, a manager and a front end in this process; servers stop, return and change. */
@Timeout(240)
class StoppedServersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir private Path folder;

    private final List<LocalNode> nodes = new ArrayList<>();
    private final Map<String, ClusterNode> running = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final NetworkTransport transport = new NetworkTransport();
    private ManagedChannel manager;
    private TableCalls calls;

    @BeforeEach
    void start() throws Exception {
        LoopbackPorts ports = new LoopbackPorts();
        add("m1", RoleName.PARTITION_MANAGER, ports, "raft", "service", "admin");
        for (int i = 1; i <= 4; i++) {
            add("s" + i, RoleName.PARTITION_SERVER, ports, "raft", "service", "admin");
        }
        add("f1", RoleName.FRONT_END, ports, "table", "admin");
        for (LocalNode node : nodes) {
            start(node.name());
        }
        manager =
                transport.connect(
                        HostPort.parse(node("m1").address("service")),
                        PeerName.any(PeerRole.MANAGER));
        calls =
                new TableCalls(
                        "http://" + node("f1").address("table"),
                        LocalCluster.ACCOUNT,
                        LocalCluster.KEY);
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> List.of(201, 409).contains(calls.createTable("Stops")));
        await().atMost(PATIENCE).until(this::settled);
    }

    private void add(String name, RoleName role, LoopbackPorts ports, String... uses) {
        Map<String, Integer> chosen = new TreeMap<>();
        for (String use : uses) {
            chosen.put(use, ports.next());
        }
        nodes.add(new LocalNode(name, role, 0, "127.0.0.1", chosen, folder.resolve(name)));
    }

    private LocalNode node(String name) {
        return nodes.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    private void start(String name) throws Exception {
        LocalNode node = node(name);
        NodeSettings.write(node, nodes, 3, OperatorToken.NONE);
        List<FlagSetting> flags = new ArrayList<>(ShortTimers.of(node.role()));
        flags.add(new FlagSetting("--set", "stopTimeout", "2m"));
        flags.add(new FlagSetting("--set", "server.stop.permit", "wait"));
        flags.add(new FlagSetting("--set", "server.stop.permitTimeout", "90s"));
        running.put(
                name,
                ClusterNode.start(
                        node.role(),
                        ConfigReader.read(Optional.of(node.settings()), Map.of(), flags).config(),
                        "test",
                        (what, cause) -> failures.add(name + ": " + what)));
    }

    @AfterEach
    void end() {
        manager.shutdownNow();
        // Without a manager that answers, nobody waits for the permit of a server that stays down.
        Optional.ofNullable(running.remove("m1")).ifPresent(ClusterNode::close);
        running.values().parallelStream().forEach(ClusterNode::close);
        transport.close();
    }

    private AdminServiceGrpc.AdminServiceBlockingStub admin() {
        return AdminServiceGrpc.newBlockingStub(manager).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private List<String> members() {
        return admin().listRanges(ListRangesRequest.getDefaultInstance()).getRangesList().stream()
                .map(RangeStatus::getRange)
                .flatMap(range -> range.getMembersList().stream())
                .distinct()
                .toList();
    }

    /** Whether each range has three healthy members and nothing is under way. */
    private boolean settled() {
        List<RangeStatus> ranges;
        try {
            ranges = admin().listRanges(ListRangesRequest.getDefaultInstance()).getRangesList();
        } catch (StatusRuntimeException starting) {
            return false;
        }
        return !ranges.isEmpty()
                && ranges.stream()
                        .allMatch(
                                range ->
                                        range.getMembersCount() == 3
                                                && !range.hasMove()
                                                && !range.getLeader().isEmpty()
                                                && range.getMembersList().stream()
                                                        .noneMatch(
                                                                each ->
                                                                        each.getJoining()
                                                                                || each
                                                                                        .getMissing()));
    }

    private NodeState state(String name) {
        return admin().listNodes(
                        ListNodesRequest.newBuilder().setNodeId(name).setRemoved(true).build())
                .getNodes(0)
                .getNode()
                .getState();
    }

    private String readiness(String name) throws InterruptedException {
        return NodeProbe.readiness(node(name));
    }

    @Test
    void serversStopOneAfterAnother_whenAllAreToldToStop() throws Exception {
        List<String> told = members();
        List<String> events = new CopyOnWriteArrayList<>();
        AtomicBoolean done = new AtomicBoolean();
        List<Integer> failed = new CopyOnWriteArrayList<>();
        CompletableFuture<Integer> writer =
                CompletableFuture.supplyAsync(() -> write(done, failed), StoppedServersIT::run);
        CompletableFuture.allOf(
                        told.stream()
                                .map(
                                        name ->
                                                CompletableFuture.runAsync(
                                                        () -> restart(name, events),
                                                        StoppedServersIT::run))
                                .toArray(CompletableFuture[]::new))
                .get(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS);
        await().atMost(PATIENCE)
                .until(
                        () ->
                                !admin().getStatus(GetStatusRequest.getDefaultInstance())
                                        .hasDisruptionLease());
        done.set(true);
        assertThat(writer.get(30, TimeUnit.SECONDS)).isPositive();
        assertThat(failed).isEmpty();
        assertThat(events).hasSize(2 * told.size());
        for (int i = 0; i < events.size(); i += 2) {
            String name = events.get(i).substring("stopped ".length());
            assertThat(events.get(i + 1)).as("%s", events).isEqualTo("started " + name);
        }
        assertThat(failures).isEmpty();
    }

    private static void run(Runnable task) {
        new Thread(task, "stopped-servers").start();
    }

    private void restart(String name, List<String> events) {
        running.remove(name).close();
        events.add("stopped " + name);
        try {
            start(name);
        } catch (Exception cause) {
            throw new IllegalStateException(cause);
        }
        events.add("started " + name);
    }

    /** Answers how many rows were written; each call is one that a client would make once. */
    private int write(AtomicBoolean done, List<Integer> failed) {
        int row = 0;
        try {
            for (; !done.get(); row++) {
                int status = calls.insert("Stops", "p", "row-" + row, "x");
                if (status != 201) {
                    failed.add(status);
                }
            }
        } catch (IOException | InterruptedException cause) {
            throw new IllegalStateException(cause);
        }
        return row;
    }

    @Test
    void removedServerReturns_onlyWithEmptyFolder() throws Exception {
        String name = members().get(0);
        assertThat(calls.insert("Stops", "p", "before", "x")).isEqualTo(201);
        decommission(name);
        running.remove(name).close();

        start(name);
        await().atMost(PATIENCE).until(() -> readiness(name).contains("has left the cluster"));
        assertThat(state(name)).isEqualTo(NodeState.REMOVED);
        running.remove(name).close();

        DurableFiles.removeFolder(node(name).data());
        start(name);
        await().atMost(PATIENCE).until(() -> readiness(name).equals(NodeProbe.READY));
        assertThat(state(name)).isEqualTo(NodeState.NODE_STATE_UNSPECIFIED);

        // There are three others only, so it gets the replicas.
        decommission(members().get(0));
        assertThat(members()).contains(name);
        assertThat(calls.read("Stops", "p", "before").statusCode()).isEqualTo(200);
        assertThat(failures).isEmpty();
    }

    private void decommission(String name) {
        await().atMost(PATIENCE).until(this::settled);
        admin().decommissionNode(DecommissionNodeRequest.newBuilder().setNodeId(name).build());
        await().atMost(PATIENCE).until(() -> state(name) == NodeState.REMOVED);
        await().atMost(PATIENCE).until(this::settled);
    }
}

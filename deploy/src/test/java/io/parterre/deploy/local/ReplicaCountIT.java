package io.parterre.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.TableCalls;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.node.ClusterNode;
import io.parterre.deploy.node.RoleName;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.PolicySetting;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.admin.SetPolicyRequest;
import io.parterre.testing.Tier;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Five servers, a manager and a front end in this process; the policy gets other numbers. */
@Timeout(240)
class ReplicaCountIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir private Path folder;

    private final List<LocalNode> nodes = new ArrayList<>();
    private final Map<String, ClusterNode> running = new TreeMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final NetworkTransport transport = new NetworkTransport();

    @BeforeEach
    void plan() {
        LoopbackPorts ports = new LoopbackPorts();
        add("m1", RoleName.PARTITION_MANAGER, ports, "raft", "service", "admin");
        for (int i = 1; i <= 5; i++) {
            add("s" + i, RoleName.PARTITION_SERVER, ports, "raft", "service", "admin");
        }
        add("f1", RoleName.FRONT_END, ports, "table", "admin");
    }

    private void add(String name, RoleName role, LoopbackPorts ports, String... uses) {
        Map<String, Integer> chosen = new TreeMap<>();
        for (String use : uses) {
            chosen.put(use, ports.next());
        }
        nodes.add(new LocalNode(name, role, 0, "127.0.0.1", chosen, folder.resolve(name)));
    }

    @AfterEach
    void end() {
        // Side by side: each waits for its connections to the others to end.
        running.values().parallelStream().forEach(ClusterNode::close);
        transport.close();
    }

    private LocalNode node(String name) {
        return nodes.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    private void start(String name) throws Exception {
        LocalNode node = node(name);
        NodeSettings.write(node, nodes, 1, OperatorToken.NONE);
        running.put(
                name,
                ClusterNode.start(
                        node.role(),
                        ConfigReader.read(
                                        Optional.of(node.settings()),
                                        Map.of(),
                                        ShortTimers.of(node.role()))
                                .config(),
                        "test",
                        (what, cause) -> failures.add(name + ": " + what)));
    }

    private void setReplicas(int replicas) {
        ManagedChannel channel =
                transport.connect(
                        HostPort.parse(node("m1").address("service")),
                        PeerName.any(PeerRole.MANAGER));
        try {
            AdminServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(30, TimeUnit.SECONDS)
                    .setPolicy(
                            SetPolicyRequest.newBuilder()
                                    .addSettings(
                                            PolicySetting.newBuilder()
                                                    .setKey("replicas")
                                                    .setValue("" + replicas))
                                    .build());
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void ackedWritesSurvive_whileReplicaCountGrowsAndShrinks() throws Exception {
        for (LocalNode node : nodes) {
            start(node.name());
        }
        TableCalls calls =
                new TableCalls(
                        "http://" + node("f1").address("table"),
                        LocalCluster.ACCOUNT,
                        LocalCluster.KEY);
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> List.of(201, 409).contains(calls.createTable("Grown")));
        assertThat(awaitMembers(1)).hasSize(1);

        AtomicBoolean done = new AtomicBoolean();
        List<String> acknowledged = new ArrayList<>();
        Thread writer = new Thread(() -> write(calls, done, acknowledged), "writer");
        writer.start();
        try {
            int[] counts = Tier.isLong() ? new int[] {3, 5, 3, 1} : new int[] {3, 5, 1};
            for (int replicas : counts) {
                setReplicas(replicas);
                if (replicas == 5) {
                    // Its settings still say 1, but were only for a new cluster.
                    running.remove("m1").close();
                    start("m1");
                }
                assertThat(awaitMembers(replicas)).hasSize(replicas);
            }
        } finally {
            done.set(true);
            writer.join();
        }

        assertThat(acknowledged).isNotEmpty();
        for (String row : acknowledged) {
            assertThat(calls.read("Grown", "p", row).statusCode()).as(row).isEqualTo(200);
        }
        assertThat(failures).isEmpty();
    }

    private static void write(TableCalls calls, AtomicBoolean done, List<String> acknowledged) {
        for (int i = 0; !done.get(); i++) {
            try {
                if (calls.insert("Grown", "p", "row-" + i, "x") == 201) {
                    acknowledged.add("row-" + i);
                }
            } catch (java.io.IOException inDoubt) {
                // Not acknowledged, so nothing is promised of it.
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Waits until every range has so many healthy members and nothing is under way. */
    private List<String> awaitMembers(int count) {
        List<String> members = new ArrayList<>();
        ManagedChannel channel =
                transport.connect(
                        HostPort.parse(node("m1").address("service")),
                        PeerName.any(PeerRole.MANAGER));
        try {
            await().atMost(PATIENCE)
                    .until(
                            () -> {
                                members.clear();
                                return settled(channel, count, members);
                            });
        } finally {
            channel.shutdownNow();
        }
        return members;
    }

    private static boolean settled(ManagedChannel channel, int count, List<String> members) {
        List<RangeStatus> ranges;
        try {
            ranges =
                    AdminServiceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(5, TimeUnit.SECONDS)
                            .listRanges(ListRangesRequest.getDefaultInstance())
                            .getRangesList();
        } catch (StatusRuntimeException starting) {
            return false;
        }
        for (RangeStatus range : ranges) {
            boolean well =
                    range.getMembersCount() == count
                            && !range.hasMove()
                            && !range.getLeader().isEmpty()
                            && range.getMembersList().stream()
                                    .noneMatch(
                                            member -> member.getJoining() || member.getMissing());
            if (!well) {
                return false;
            }
            members.addAll(range.getRange().getMembersList());
        }
        return !ranges.isEmpty();
    }
}

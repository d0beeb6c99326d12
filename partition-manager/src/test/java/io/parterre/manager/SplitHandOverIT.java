package io.parterre.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.proto.admin.ExplainRangeRequest;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.SplitRangeRequest;
import io.parterre.proto.manager.Order;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.TransferLead;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.testing.TestPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A range of three nodes that is split, as messages, by a server that hands nothing over. */
class SplitHandOverIT {
    private static final Key SPLIT_POINT = Key.copyOf(new byte[] {2});
    private static final List<String> NODES = List.of("n1", "n2", "n3");

    private record Held(long generation, KeyRange bounds, String leader) {}

    @TempDir private Path folder;
    private ManagerUnderTest manager;
    private String clusterId = "";
    private final TreeMap<Long, Held> ranges = new TreeMap<>();

    @BeforeEach
    void oneRangeOnThreeNodes() throws Exception {
        NodeId self = new NodeId("m1");
        ManagerMember member =
                new ManagerMember(self, "127.0.0.1:" + TestPorts.next(), "manager:1");
        manager =
                ManagerUnderTest.startLeading(
                        TestConfig.of(
                                member,
                                List.of(member),
                                folder,
                                List.of(),
                                3,
                                1_000,
                                Policy.DEFAULT,
                                Set.of()));
        until(orders -> orders.stream().anyMatch(Order::hasHostReplica));
        ranges.put(1L, new Held(1, KeyRange.ALL, "n1"));
        until(
                orders ->
                        manager.admin()
                                .explainRange(
                                        ExplainRangeRequest.newBuilder().setRangeId(1).build())
                                .getReasonsList()
                                .contains("nothing is to be done about it"));
    }

    @AfterEach
    void stop() {
        manager.close();
    }

    private int leaderless() {
        return manager.admin()
                .getStatus(GetStatusRequest.getDefaultInstance())
                .getRangesWithoutLeader();
    }

    private ReplicaReport[] replicas(String node) {
        List<ReplicaReport> replicas = new ArrayList<>();
        ranges.forEach(
                (rangeId, held) -> {
                    RangeDescriptor range =
                            new RangeDescriptor(
                                    new RangeId(rangeId),
                                    held.bounds(),
                                    new Generation(held.generation()),
                                    NODES.stream().map(NodeId::new).toList());
                    replicas.add(
                            ReplicaReport.newBuilder()
                                    .setRangeId(rangeId)
                                    .setGeneration(held.generation())
                                    .setLeading(held.leader().equals(node))
                                    .addAllMembers(NODES)
                                    .setRange(DescriptorCodec.toProto(range))
                                    .build());
                });
        return replicas.toArray(ReplicaReport[]::new);
    }

    /** All nodes report until the answers are as they shall be. */
    private void until(Predicate<List<Order>> so) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> {
                            List<Order> orders = new ArrayList<>();
                            for (String node : NODES) {
                                var answer =
                                        manager.heartbeat(
                                                ManagerUnderTest.report(
                                                        node, clusterId, replicas(node)));
                                clusterId = answer.getClusterId();
                                orders.addAll(answer.getOrdersList());
                            }
                            return so.test(orders);
                        });
    }

    @Test
    void managerOrdersTransferOfChildLeadership_whenServerOmitsIt() {
        split();
        until(orders -> orders.stream().anyMatch(Order::hasSplitRange));
        ranges.put(1L, new Held(2, new KeyRange(Key.FIRST, SPLIT_POINT), "n1"));
        ranges.put(2L, new Held(2, new KeyRange(SPLIT_POINT, Key.LAST), "n1"));
        Order handOver =
                Order.newBuilder()
                        .setTransferLead(
                                TransferLead.newBuilder()
                                        .setRangeId(2)
                                        .setGeneration(2)
                                        .setNodeId("n3"))
                        .build();
        until(List.of(handOver)::equals);
        ranges.put(2L, new Held(2, new KeyRange(SPLIT_POINT, Key.LAST), "n3"));
        until(List::isEmpty);
        assertThat(leaderless()).isZero();
    }

    private void split() {
        manager.admin()
                .splitRange(
                        SplitRangeRequest.newBuilder()
                                .setRangeId(1)
                                .setSplitPoint(ByteString.copyFrom(SPLIT_POINT.unsafeBytes()))
                                .setLeader("n3")
                                .build());
    }
}

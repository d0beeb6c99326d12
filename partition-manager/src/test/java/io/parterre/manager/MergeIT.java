package io.parterre.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.admin.ExplainRangeRequest;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.MergeRangesRequest;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.admin.SplitRangeRequest;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.MergeRanges;
import io.parterre.proto.manager.Order;
import io.parterre.proto.manager.RefusedMerge;
import io.parterre.proto.manager.RemoveReplica;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ThawRange;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A merge from the operator's call to the end of the absorbed range, as messages. */
class MergeIT {
    private static final Key SPLIT_POINT = Key.copyOf(new byte[] {2});
    private static final KeyRange BEFORE = new KeyRange(Key.FIRST, SPLIT_POINT);
    private static final KeyRange BEHIND = new KeyRange(SPLIT_POINT, Key.LAST);

    @TempDir private Path folder;
    private ManagerUnderTest manager;
    private String clusterId = "";
    private final TreeMap<Long, ReplicaReport> replicas = new TreeMap<>();
    private final List<RefusedMerge> refusals = new ArrayList<>();
    private List<Order> orders = List.of();

    @BeforeEach
    void twoRangesOnOneNode() throws Exception {
        manager = ManagerUnderTest.startLeading(TestConfig.single(folder, List.of(), 1));
        until(now -> !clusterId.isEmpty());
        leads(1, 1, KeyRange.ALL, 0);
        until(now -> reasons(1).contains("nothing is to be done about it"));
        manager.admin()
                .splitRange(
                        SplitRangeRequest.newBuilder()
                                .setRangeId(1)
                                .setSplitPoint(ByteString.copyFrom(SPLIT_POINT.unsafeBytes()))
                                .build());
        until(now -> now.stream().anyMatch(Order::hasSplitRange));
        leads(1, 2, BEFORE, 0);
        leads(2, 2, BEHIND, 0);
        until(
                now ->
                        now.isEmpty()
                                && ranges().size() == 2
                                && ranges().stream()
                                        .noneMatch(range -> range.getLeader().isEmpty()));
    }

    @AfterEach
    void stop() {
        manager.close();
    }

    private void leads(long rangeId, long generation, KeyRange bounds, long frozenFor) {
        RangeDescriptor range =
                new RangeDescriptor(
                        new RangeId(rangeId),
                        bounds,
                        new Generation(generation),
                        List.of(new NodeId("n1")));
        replicas.put(
                rangeId,
                ReplicaReport.newBuilder()
                        .setRangeId(rangeId)
                        .setGeneration(generation)
                        .setLeading(true)
                        .addMembers("n1")
                        .setRange(
                                DescriptorCodec.toProto(range).toBuilder().setFrozenFor(frozenFor))
                        .build());
    }

    /** Reports until the answer is as it shall be. */
    private void until(Predicate<List<Order>> so) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> {
                            HeartbeatRequest report =
                                    ManagerUnderTest.report(
                                                    "n1",
                                                    clusterId,
                                                    replicas.values().toArray(ReplicaReport[]::new))
                                            .toBuilder()
                                            .addAllRefusedMerges(refusals)
                                            .build();
                            var answer = manager.heartbeat(report);
                            clusterId = answer.getClusterId();
                            orders = answer.getOrdersList();
                            return so.test(orders);
                        });
    }

    private List<RangeStatus> ranges() {
        return manager.admin().listRanges(ListRangesRequest.getDefaultInstance()).getRangesList();
    }

    private List<String> reasons(long rangeId) {
        return manager.admin()
                .explainRange(ExplainRangeRequest.newBuilder().setRangeId(rangeId).build())
                .getReasonsList();
    }

    private int merges() {
        return manager.admin()
                .getStatus(GetStatusRequest.getDefaultInstance())
                .getMergesInProgress();
    }

    private static Order merge(long leftGeneration, long rightGeneration) {
        return Order.newBuilder()
                .setMergeRanges(
                        MergeRanges.newBuilder()
                                .setLeftRangeId(1)
                                .setLeftGeneration(leftGeneration)
                                .setRightRangeId(2)
                                .setRightGeneration(rightGeneration))
                .build();
    }

    @Test
    void mergeThawsRightRangeAndCanBeRetried_whenServerRejectsIt() {
        MergeRangesRequest request = MergeRangesRequest.newBuilder().setLeftRangeId(1).build();
        assertThat(
                        manager.admin()
                                .mergeRanges(request.toBuilder().setDryRun(true).build())
                                .getEffectsList())
                .containsExactly("range 1 gets the keys of range 2, which no longer exists");
        assertThat(merges()).isZero();
        manager.admin().mergeRanges(request);
        until(now -> now.equals(List.of(merge(2, 2))));
        assertThat(merges()).isEqualTo(1);
        assertThat(ranges().get(1).getMerge().getLeftRangeId()).isEqualTo(1);
        assertThat(ranges().get(0).getMerge().getStep())
                .isEqualTo("the leader of both has to join them");
        assertThat(
                        manager.admin()
                                .listNodes(ListNodesRequest.getDefaultInstance())
                                .getNodes(0)
                                .getMergesInProgress())
                .isEqualTo(1);

        leads(2, 3, BEHIND, 1);
        until(now -> now.equals(List.of(merge(2, 2))));
        refusals.add(
                RefusedMerge.newBuilder()
                        .setLeftRangeId(1)
                        .setLeftGeneration(2)
                        .setRightRangeId(2)
                        .setReason(RefusedMerge.Reason.MEMBER_BEHIND)
                        .build());
        until(now -> now.stream().anyMatch(Order::hasChangeMembers));
        assertThat(orders.get(0).getChangeMembers().getGeneration()).isEqualTo(2);
        assertThat(reasons(2))
                .anyMatch(reason -> reason.contains("not all members came along in time"));

        leads(1, 3, BEFORE, 0);
        Order thaw =
                Order.newBuilder()
                        .setThawRange(ThawRange.newBuilder().setRangeId(2).setGeneration(3))
                        .build();
        until(now -> now.equals(List.of(thaw)));
        assertThat(merges()).isEqualTo(1);
        leads(2, 4, BEHIND, 0);
        until(now -> merges() == 0);

        WatchedMap watched = manager.watch();
        until(now -> watched.rangeCount() == 2);
        manager.admin().mergeRanges(request.toBuilder().setRightRangeId(2).build());
        until(now -> now.equals(List.of(merge(3, 4))));
        replicas.remove(2L);
        leads(1, 6, KeyRange.ALL, 0);
        until(now -> ranges().size() == 1);
        assertThat(DescriptorCodec.fromProto(ranges().get(0).getRange()).generation())
                .isEqualTo(new Generation(6));
        until(now -> watched.rangeCount() == 1);
        assertThat(watched.generation(1)).isEqualTo(6);

        replicas.put(2L, ReplicaReport.newBuilder().setRangeId(2).setGeneration(5).build());
        Order remove =
                Order.newBuilder()
                        .setRemoveReplica(RemoveReplica.newBuilder().setRangeId(2).setGeneration(6))
                        .build();
        until(now -> now.equals(List.of(remove)));
    }
}

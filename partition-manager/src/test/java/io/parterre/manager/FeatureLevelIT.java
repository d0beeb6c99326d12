package io.parterre.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.UnknownFieldSet;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.proto.admin.DecommissionNodeRequest;
import io.parterre.proto.admin.FinalizeUpgradeRequest;
import io.parterre.proto.admin.GetUpgradeRequest;
import io.parterre.proto.admin.ListJournalRequest;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.UpgradeStatus;
import io.parterre.proto.manager.FeatureLevels;
import io.parterre.proto.manager.FollowerReport;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.NodeState;
import io.parterre.proto.manager.Order;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.WatchRequest;
import io.parterre.release.FeatureLevel;
import io.parterre.release.NewerReleaseException;
import io.parterre.release.Release;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A manager of this release, and nodes of which some run an earlier one. */
@Timeout(120)
class FeatureLevelIT {
    private static final FeatureLevels THIS_RELEASE =
            FeatureLevels.newBuilder().setOldest(1).setNewest(FeatureLevel.NEWEST.value()).build();

    private static final int ABOVE = FeatureLevel.NEWEST.value() + 1;
    private static final FeatureLevels ABOVE_THIS_RELEASE =
            FeatureLevels.newBuilder().setOldest(ABOVE).setNewest(ABOVE + 1).build();

    @TempDir private Path folder;
    private String clusterId = "";

    private PartitionManagerConfig config() {
        return TestConfig.single(folder.resolve("manager"), TestConfig.account("secret"), 3);
    }

    private HeartbeatRequest.Builder report(String node, ReplicaReport... replicas) {
        return ManagerUnderTest.report(node, clusterId, replicas).toBuilder();
    }

    private HeartbeatRequest newer(String node, ReplicaReport... replicas) {
        return report(node, replicas).setFeatureLevels(THIS_RELEASE).build();
    }

    private static ReplicaReport replica(boolean leading, long lastIndex) {
        ReplicaReport.Builder report =
                ReplicaReport.newBuilder()
                        .setRangeId(1)
                        .setGeneration(1)
                        .setLeading(leading)
                        .setAppliedIndex(lastIndex)
                        .setAppliedTerm(1)
                        .setLastTerm(1)
                        .setLastIndex(lastIndex)
                        .addAllMembers(List.of("n1", "n2", "n3"));
        if (leading) {
            report.addFollowers(follower("n2")).addFollowers(follower("n3"));
        }
        return report.build();
    }

    private static FollowerReport follower(String node) {
        return FollowerReport.newBuilder().setNodeId(node).setMatchIndex(400).build();
    }

    private void found(ManagerUnderTest manager, HeartbeatRequest... reports) {
        for (HeartbeatRequest each : reports) {
            clusterId = manager.heartbeat(each).getClusterId();
        }
        assertThat(clusterId).isNotEmpty();
    }

    /** Whether it is answered or not. */
    private static void tryHeartbeat(ManagerUnderTest manager, HeartbeatRequest report) {
        try {
            manager.heartbeat(report);
        } catch (StatusRuntimeException ended) {
            assertThat(manager.failure).isNotNull();
        }
    }

    private static UpgradeStatus status(ManagerUnderTest manager) {
        return manager.admin().getUpgrade(GetUpgradeRequest.getDefaultInstance());
    }

    private static List<String> finalized(ManagerUnderTest manager) {
        return manager.admin()
                .finalizeUpgrade(FinalizeUpgradeRequest.getDefaultInstance())
                .getEffectsList();
    }

    @Test
    void clusterBeginsAtNewestLevel_whenAllNodesReadIt() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config())) {
            found(manager, newer("n1"), newer("n2"), newer("n3"));
            assertThat(manager.heartbeat(newer("n1")).getFeatureLevel())
                    .isEqualTo(FeatureLevel.NEWEST.value());
            assertThat(finalized(manager))
                    .containsExactly("the cluster has level " + FeatureLevel.NEWEST);
        }
    }

    @Test
    void newOrderIsGivenOnlyAfterFinalize_whenANodeRunsEarlierRelease() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config())) {
            found(manager, newer("n1"), newer("n2"), report("n3").build());
            manager.heartbeat(newer("n1", replica(true, 410)));
            manager.heartbeat(newer("n2", replica(false, 410)));
            // It has acknowledged 400 and holds 200, by more than one report.
            for (int i = 0; i < 3; i++) {
                HeartbeatResponse answer =
                        manager.heartbeat(report("n3", replica(false, 200)).build());
                assertThat(answer.getFeatureLevel()).isEqualTo(1);
                assertThat(answer.getOrdersList()).noneMatch(Order::hasQuarantineReplica);
            }
            assertThat(status(manager).getHindrancesList())
                    .anyMatch(why -> why.startsWith("server n3 runs"));
            assertThatThrownBy(() -> finalized(manager))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("server n3 runs");

            manager.heartbeat(newer("n1", replica(true, 410)));
            manager.heartbeat(newer("n2", replica(false, 410)));
            manager.heartbeat(newer("n3", replica(false, 200)));
            assertThat(status(manager).getHindrancesList()).isEmpty();
            assertThat(finalized(manager))
                    .singleElement()
                    .asString()
                    .contains("level 1 to level " + FeatureLevel.NEWEST);
            manager.heartbeat(newer("n1", replica(true, 410)));
            manager.heartbeat(newer("n2", replica(false, 410)));
            HeartbeatResponse answer = manager.heartbeat(newer("n3", replica(false, 200)));
            assertThat(answer.getFeatureLevel()).isEqualTo(FeatureLevel.NEWEST.value());
            assertThat(answer.getOrdersList()).anyMatch(Order::hasQuarantineReplica);
            assertThat(
                            manager.admin()
                                    .listJournal(ListJournalRequest.getDefaultInstance())
                                    .getEntriesList())
                    .anyMatch(entry -> entry.getVerdict().equals("UPGRADE"));
            assertThat(manager.meters.get("partition_manager_feature_level").gauge().value())
                    .isEqualTo(FeatureLevel.NEWEST.value());
        }
    }

    @Test
    void earlierReleaseTakesNoPart_afterFinalizeAndManagerRestart() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config())) {
            found(manager, newer("n1"), newer("n2"), newer("n3"));
        }
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config())) {
            assertThatThrownBy(() -> manager.heartbeat(report("n3").build()))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e ->
                                    assertThat(e.getStatus().getDescription())
                                            .contains(
                                                    "node n3 reads feature level 1, and the cluster"
                                                            + " has "
                                                            + FeatureLevel.NEWEST));
            HeartbeatResponse told =
                    manager.heartbeat(report("n3").setFeatureLevels(ABOVE_THIS_RELEASE).build());
            assertThat(told)
                    .as("it ends by itself")
                    .isEqualTo(
                            HeartbeatResponse.newBuilder()
                                    .setFeatureLevel(FeatureLevel.NEWEST.value())
                                    .setCertainty(told.getCertainty())
                                    .build());
            WatchedMap older = new WatchedMap();
            manager.watch(WatchRequest.newBuilder().setWatcher("old").build(), older);
            await().until(() -> older.end() != null);
            assertThat(Status.fromThrowable(older.end()).getCode())
                    .isEqualTo(Status.Code.FAILED_PRECONDITION);
        }
    }

    /** What a newer release has written since may look like something that is known here. */
    @Test
    void managerEnds_whenItsLogRaisesLevelThatItCannotRead() throws Exception {
        Release newer =
                new Release(
                        "newer",
                        new io.parterre.release.FeatureLevels(
                                FeatureLevel.FIRST, new FeatureLevel(ABOVE)));
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(), newer)) {
            FeatureLevels reads = FeatureLevels.newBuilder().setOldest(1).setNewest(ABOVE).build();
            for (String node : List.of("n1", "n2", "n3")) {
                HeartbeatRequest report = report(node).setFeatureLevels(reads).build();
                tryHeartbeat(manager, report);
            }
            assertThat(manager.failure.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(NewerReleaseException.class)
                    .hasMessageContaining(
                            "the cluster has feature level "
                                    + ABOVE
                                    + " (expected: 1.."
                                    + FeatureLevel.NEWEST);
        }
    }

    private HeartbeatRequest ofFolder(String node, String incarnation, String cluster) {
        HeartbeatRequest.Builder report = newer(node).toBuilder().setClusterId(cluster);
        report.getNodeBuilder().setIncarnation(incarnation);
        return report.build();
    }

    @Test
    void removedNodeReturns_onlyWithEmptyFolder() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config())) {
            found(manager, newer("n1"), newer("n2"), newer("n3"));
            manager.heartbeat(ofFolder("n4", "folder1", ""));
            manager.admin()
                    .decommissionNode(DecommissionNodeRequest.newBuilder().setNodeId("n4").build());
            await().until(() -> state(manager, "n4") == NodeState.REMOVED);
            for (HeartbeatRequest old :
                    List.of(
                            ofFolder("n4", "folder1", clusterId),
                            ofFolder("n4", "folder1", ""),
                            ofFolder("n4", "folder0", clusterId))) {
                assertThatThrownBy(() -> manager.heartbeat(old))
                        .hasMessageContaining("node n4 has left the cluster");
            }
            manager.heartbeat(ofFolder("n4", "folder2", ""));
            assertThat(state(manager, "n4")).isEqualTo(NodeState.NODE_STATE_UNSPECIFIED);
            manager.heartbeat(ofFolder("n4", "folder2", clusterId));
            assertThatThrownBy(() -> manager.heartbeat(ofFolder("n4", "folder1", clusterId)))
                    .hasMessageContaining("node n4 has left the cluster");
        }
    }

    private static NodeState state(ManagerUnderTest manager, String node) {
        return manager.admin()
                .listNodes(ListNodesRequest.newBuilder().setNodeId(node).setRemoved(true).build())
                .getNodes(0)
                .getNode()
                .getState();
    }

    /** As a dry run that this release does not know would be. */
    @Test
    void operatorCallIsRefused_whenFieldIsUnknown() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config())) {
            UnknownFieldSet unknown =
                    UnknownFieldSet.newBuilder()
                            .addField(90, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                            .build();
            assertThatThrownBy(
                            () ->
                                    manager.admin()
                                            .finalizeUpgrade(
                                                    FinalizeUpgradeRequest.newBuilder()
                                                            .setUnknownFields(unknown)
                                                            .build()))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e ->
                                    assertThat(e.getStatus().getCode())
                                            .isEqualTo(Status.Code.INVALID_ARGUMENT));
        }
    }
}

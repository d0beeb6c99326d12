package io.parterre.manager;

import static io.parterre.manager.ManagerUnderTest.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.file.DurableFiles;
import io.parterre.key.KeyRange;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.proto.admin.FrontEndStatus;
import io.parterre.proto.admin.ListFrontEndsRequest;
import io.parterre.proto.admin.ListFrontEndsResponse;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.manager.ConfirmMapRequest;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.HostReplica;
import io.parterre.proto.manager.LeaseObjectIdsResponse;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.WatchRequest;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.testing.TestPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PartitionManagerIT {
    @TempDir private Path folder;

    private PartitionManagerConfig config(Path data) {
        return TestConfig.single(data, TestConfig.account("secret"), 1);
    }

    private PartitionManagerConfig config(Path data, int snapshotEntries) {
        return TestConfig.single(
                data,
                TestConfig.account("secret"),
                1,
                snapshotEntries,
                Policy.DEFAULT.withReplicas(1));
    }

    @Test
    void managerBootstrapsClusterAndFirstReplica_whenNodeReports() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(folder))) {
            HeartbeatResponse first = manager.heartbeat(report("n1", ""));

            assertThat(first.getClusterId()).isNotEmpty();
            assertThat(first.getOrdersList()).hasSize(1);
            HostReplica order = first.getOrders(0).getHostReplica();
            assertThat(DescriptorCodec.fromProto(order.getRange()))
                    .isEqualTo(
                            new RangeDescriptor(
                                    new RangeId(1),
                                    KeyRange.ALL,
                                    Generation.FIRST,
                                    List.of(new NodeId("n1"))));
            assertThat(order.getMembersList()).containsExactly(report("n1", "").getNode());

            HeartbeatResponse second =
                    manager.heartbeat(report("n1", first.getClusterId(), replica(1, 1, true)));
            assertThat(second.getClusterId()).isEqualTo(first.getClusterId());
            assertThat(second.getOrdersList()).isEmpty();

            assertThat(manager.heartbeat(report("n2", "")).getOrdersList())
                    .as("one replica is enough here")
                    .isEmpty();
        }
    }

    @Test
    void bootstrapWaits_untilEnoughNodesForFirstRangeReport() throws Exception {
        try (ManagerUnderTest manager =
                ManagerUnderTest.startLeading(
                        TestConfig.single(folder, TestConfig.account("secret"), 2))) {
            assertThat(manager.heartbeat(report("n1", "")).getClusterId()).isEmpty();
            HeartbeatResponse second = manager.heartbeat(report("n2", ""));
            assertThat(second.getClusterId()).isNotEmpty();
            assertThat(second.getOrders(0).getHostReplica().getRange().getMembersList())
                    .containsExactly("n1", "n2");
            assertThat(manager.heartbeat(report("n1", "")).getOrdersList())
                    .isEqualTo(second.getOrdersList());
        }
    }

    @Test
    void heartbeatIsRejected_whenNodeHoldsDataOfAnotherCluster() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(folder))) {
            assertThatThrownBy(() -> manager.heartbeat(report("n1", "lost-cluster")))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e ->
                                    assertThat(e.getStatus().getCode())
                                            .isEqualTo(Status.Code.FAILED_PRECONDITION));
            WatchedMap watched = manager.watch();
            await().until(() -> watched.version() >= 1);
            assertThat(watched.rangeCount()).isZero();
        }
    }

    @Test
    void clusterIdAndObjectIdLeasesSurvive_whenManagerCrashes() throws Exception {
        Path data = folder.resolve("a");
        Path crashed = folder.resolve("b");
        String clusterId;
        long leasedUpTo;
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(data))) {
            clusterId = manager.heartbeat(report("n1", "")).getClusterId();
            LeaseObjectIdsResponse lease = manager.lease(100);
            leasedUpTo = lease.getFirst() + lease.getCount();
            DurableFiles.copyFolder(data, crashed);
        }
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(crashed))) {
            assertThat(manager.lease(1).getFirst()).isEqualTo(leasedUpTo);
            HeartbeatResponse again = manager.heartbeat(report("n1", clusterId));
            assertThat(again.getClusterId()).isEqualTo(clusterId);
            assertThat(again.getOrdersList()).hasSize(1);
        }
    }

    @Test
    void managerRestoresMap_fromSnapshotAndLaterLogEntries() throws Exception {
        Path data = folder.resolve("a");
        Path crashed = folder.resolve("b");
        List<Long> leased = new ArrayList<>();
        String clusterId;
        String content;
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(data, 10))) {
            clusterId = manager.heartbeat(report("n1", "")).getClusterId();
            for (int i = 0; i < 35; i++) {
                leased.add(manager.lease(1).getFirst());
            }
            await().untilAsserted(() -> assertThat(snapshots(data)).isNotEmpty());
            WatchedMap watched = manager.watch();
            await().until(() -> watched.updates() >= 1);
            content = watched.content();
            DurableFiles.copyFolder(data, crashed);
        }
        assertThat(leased).doesNotHaveDuplicates();
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(crashed, 10))) {
            WatchedMap watched = manager.watch();
            await().until(() -> watched.updates() >= 1);
            String expected = content;
            await().untilAsserted(
                            () ->
                                    assertThat(watched.content())
                                            .isEqualTo(expected)
                                            .contains(clusterId));
            assertThat(manager.lease(1).getFirst()).isEqualTo(leased.get(34) + 1);
        }
    }

    @Test
    void managerStartFails_whenSnapshotIsCorrupt() throws Exception {
        Path data = folder.resolve("a");
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(data, 10))) {
            for (int i = 0; i < 35; i++) {
                manager.lease(1);
            }
            await().untilAsserted(() -> assertThat(snapshots(data)).isNotEmpty());
        }
        for (Path snapshot : snapshots(data)) {
            byte[] bytes = Files.readAllBytes(snapshot);
            bytes[bytes.length - 1] ^= 1;
            Files.write(snapshot, bytes);
        }
        assertThatThrownBy(() -> ManagerUnderTest.start(config(data, 10)).close())
                .isInstanceOf(IOException.class);
    }

    private static List<Path> snapshots(Path data) throws IOException {
        return DurableFiles.filesBelow(data).stream()
                .filter(file -> file.getFileName().toString().matches("snapshot\\.\\d+_\\d+"))
                .toList();
    }

    @Test
    void watcherReachesLatestMap_byChangesAfterFirstWholeMap() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(folder))) {
            WatchedMap early = manager.watch();
            await().until(() -> early.updates() >= 1);
            String clusterId = manager.heartbeat(report("n1", "")).getClusterId();
            for (int i = 2; i < 20; i++) {
                manager.heartbeat(report("n" + i, clusterId));
            }
            manager.heartbeat(report("n1", clusterId, replica(1, 1, true)));
            await().until(() -> early.leaderOf(1).equals("n1"));

            WatchedMap late = manager.watch();
            await().untilAsserted(() -> assertThat(late.content()).isEqualTo(early.content()));
            assertThat(early.wholeUpdates()).isEqualTo(1);
            assertThat(early.updates()).isGreaterThan(1);
            assertThat(late.wholeUpdates()).isEqualTo(1);
            assertThat(early.rangeCount()).isEqualTo(1);
        }
    }

    @Test
    void watcherReceivesOnlyMissedChanges_whenItReconnects() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(folder))) {
            String clusterId = manager.heartbeat(report("n1", "")).getClusterId();
            WatchedMap watched = manager.watch();
            await().until(() -> watched.rangeCount() == 1);
            long known = watched.version();
            manager.heartbeat(report("n2", clusterId));

            WatchRequest.Builder again =
                    WatchRequest.newBuilder().setWatcher("again").setKnownVersion(known);
            manager.watch(again.setKnownClusterId(clusterId).build(), watched);
            WatchedMap stranger = new WatchedMap();
            manager.watch(again.setKnownClusterId("another").build(), stranger);
            await().until(() -> stranger.updates() > 0);
            await().untilAsserted(
                            () -> assertThat(watched.content()).isEqualTo(stranger.content()));
            assertThat(watched.wholeUpdates()).isEqualTo(1);
            assertThat(stranger.wholeUpdates()).isEqualTo(1);
        }
    }

    @Test
    void listFrontEndsReportsWatchersAndTheirMapVersion() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(folder))) {
            String clusterId = manager.heartbeat(report("n1", "")).getClusterId();
            manager.watch(
                    WatchRequest.newBuilder()
                            .setWatcher("f1")
                            .setAddress("f1:10002")
                            .setRelease("1.2")
                            .setInstance("i1")
                            .build(),
                    new WatchedMap());
            ListFrontEndsResponse answer =
                    await().until(
                                    () ->
                                            manager.admin()
                                                    .listFrontEnds(
                                                            ListFrontEndsRequest
                                                                    .getDefaultInstance()),
                                    all -> all.getFrontEndsCount() == 1);
            FrontEndStatus only = answer.getFrontEnds(0);
            assertThat(only.getName()).isEqualTo("f1");
            assertThat(only.getAddress()).isEqualTo("f1:10002");
            assertThat(only.getRelease()).isEqualTo("1.2");
            assertThat(only.getMapVersion()).isEqualTo(answer.getMapVersion()).isPositive();
            assertThat(only.getConfirmedVersion()).isZero();
            long vouched =
                    manager.confirm(
                            ConfirmMapRequest.newBuilder()
                                    .setInstance("i1")
                                    .setVersion(answer.getMapVersion())
                                    .setClusterId(clusterId)
                                    .build());
            assertThat(vouched).isGreaterThanOrEqualTo(answer.getMapVersion());
            assertThat(
                            manager.admin()
                                    .listFrontEnds(ListFrontEndsRequest.getDefaultInstance())
                                    .getFrontEnds(0)
                                    .getConfirmedVersion())
                    .isEqualTo(answer.getMapVersion());
        }
    }

    @Test
    void heartbeatResponseSaysThatClockIsAhead_andNodesShowIt() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(folder))) {
            String clusterId = manager.heartbeat(told("n2", "", 0)).getClusterId();
            manager.heartbeat(told("n3", clusterId, 0));
            HeartbeatResponse right = manager.heartbeat(told("n2", clusterId, 0));
            assertThat(right.getClockJudged()).isTrue();
            assertThat(right.getClockAheadMillis()).isZero();
            assertThat(right.getClockAgrees()).isTrue();
            HeartbeatResponse ahead = manager.heartbeat(told("n1", clusterId, 3_600_000));
            assertThat(ahead.getClockJudged()).isTrue();
            assertThat(ahead.getClockAheadMillis()).isBetween(3_000_000L, 3_700_000L);
            assertThat(ahead.getClockAgrees()).isFalse();
            HeartbeatResponse behind = manager.heartbeat(told("n4", clusterId, -3_600_000));
            assertThat(behind.getClockJudged()).isTrue();
            assertThat(behind.getClockAheadMillis()).isZero();
            assertThat(behind.getClockAgrees()).isFalse();
            ListNodesRequest one = ListNodesRequest.newBuilder().setNodeId("n1").build();
            assertThat(manager.admin().listNodes(one).getNodes(0).getClockAheadMillis())
                    .isGreaterThan(3_000_000);
            manager.heartbeat(told("n1", clusterId, 0));
            assertThat(manager.admin().listNodes(one).getNodes(0).getClockAheadMillis()).isZero();
        }
    }

    private static HeartbeatRequest told(String node, String clusterId, long aheadMillis) {
        return report(node, clusterId).toBuilder()
                .setClockMillis(System.currentTimeMillis() + aheadMillis)
                .build();
    }

    @Test
    void heartbeatResponseListsManagerAddresses() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(folder))) {
            await().until(
                            () ->
                                    manager.heartbeat(report("n1", ""))
                                            .getManagersList()
                                            .contains("manager:1"));
        }
    }

    @Test
    void watcherLearnsNewRangeLeader_whenLeadershipChanges() throws Exception {
        try (ManagerUnderTest manager =
                ManagerUnderTest.startLeading(
                        TestConfig.single(folder, TestConfig.account("secret"), 2))) {
            manager.heartbeat(report("n1", ""));
            String clusterId = manager.heartbeat(report("n2", "")).getClusterId();
            WatchedMap watched = manager.watch();
            manager.heartbeat(report("n1", clusterId, replica(1, 1, true)));
            await().until(() -> watched.leaderOf(1).equals("n1"));
            manager.heartbeat(report("n2", clusterId, replica(1, 1, true)));
            await().until(() -> watched.leaderOf(1).equals("n2"));
        }
    }

    @Test
    void configuredAccountKeyChanges_afterRestartWithNewKey() throws Exception {
        String before;
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(folder))) {
            WatchedMap watched = manager.watch();
            await().until(() -> watched.updates() >= 1);
            before = watched.content();
        }
        PartitionManagerConfig changed =
                TestConfig.single(folder, TestConfig.account("changed"), 1);
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(changed)) {
            WatchedMap watched = manager.watch();
            await().until(() -> watched.updates() >= 1);
            assertThat(before).contains("secret").contains("account_id: 1");
            assertThat(watched.content()).contains("changed").contains("account_id: 1");
        }
    }

    @Test
    void requestIsRejected_whenNodeIdOrLeaseCountIsInvalid() throws Exception {
        try (ManagerUnderTest manager = ManagerUnderTest.startLeading(config(folder))) {
            assertThatThrownBy(() -> manager.heartbeat(report("Not A Node", "")))
                    .hasMessageContaining("INVALID_ARGUMENT");
            assertThatThrownBy(() -> manager.lease(0)).hasMessageContaining("INVALID_ARGUMENT");
            assertThatThrownBy(() -> manager.lease(-1)).hasMessageContaining("INVALID_ARGUMENT");
        }
    }

    @Test
    void newLeaderKeepsClusterIdAndIdLeases_whenLeaderIsLost() throws Exception {
        List<ManagerMember> members = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            members.add(
                    new ManagerMember(
                            new NodeId("m" + i),
                            "127.0.0.1:" + TestPorts.next(),
                            "service-of-m" + i));
        }
        List<ManagerUnderTest> managers = new ArrayList<>();
        try {
            for (ManagerMember member : members) {
                managers.add(ManagerUnderTest.start(config(member, members)));
            }
            int leader = awaitLeader(managers);
            String clusterId = managers.get(leader).heartbeat(report("n1", "")).getClusterId();
            long lease = managers.get(leader).lease(10).getFirst();

            int follower = (leader + 1) % 3;
            assertThatThrownBy(() -> managers.get(follower).heartbeat(report("n1", clusterId)))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertSentTo(e, members.get(leader).serviceAddress()));
            WatchedMap refused = managers.get(follower).watch();
            await().until(() -> refused.end() != null);
            assertSentTo(refused.end(), members.get(leader).serviceAddress());

            WatchedMap watched = managers.get(leader).watch();
            await().until(() -> watched.rangeCount() == 1);
            managers.get(leader).manager.close();
            managers.remove(leader).channel.shutdownNow();
            int next = awaitLeader(managers);
            assertThat(managers.get(next).heartbeat(report("n1", clusterId)).getClusterId())
                    .isEqualTo(clusterId);
            assertThat(managers.get(next).lease(1).getFirst()).isEqualTo(lease + 10);
        } finally {
            ManagerUnderTest.closeAll(managers);
        }
    }

    private PartitionManagerConfig config(ManagerMember member, List<ManagerMember> members) {
        return TestConfig.member(member, members, folder, Policy.DEFAULT.withReplicas(1));
    }

    private static int awaitLeader(List<ManagerUnderTest> managers) {
        await().atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                managers.stream()
                                        .anyMatch(manager -> manager.manager.ready().isDone()));
        for (int i = 0; i < managers.size(); i++) {
            if (managers.get(i).manager.ready().isDone()) {
                return i;
            }
        }
        throw new AssertionError("no leader");
    }

    private static void assertSentTo(Throwable failure, String address) {
        assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(
                        Status.trailersFromThrowable(failure)
                                .get(
                                        Metadata.Key.of(
                                                "parterre-leader",
                                                Metadata.ASCII_STRING_MARSHALLER)))
                .isEqualTo(address);
    }

    private static ReplicaReport replica(long rangeId, long generation, boolean leading) {
        return ReplicaReport.newBuilder()
                .setRangeId(rangeId)
                .setGeneration(generation)
                .setLeading(leading)
                .build();
    }
}

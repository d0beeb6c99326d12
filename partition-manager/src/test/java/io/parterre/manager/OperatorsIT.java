package io.parterre.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.manager.lead.LeaderClock;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.proto.admin.AccountKeys;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.CreateAccountRequest;
import io.parterre.proto.admin.DecommissionNodeRequest;
import io.parterre.proto.admin.DrainNodeRequest;
import io.parterre.proto.admin.ExplainRangeRequest;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.ListAccountsRequest;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.MoveLeaderRequest;
import io.parterre.proto.admin.MoveReplicaRequest;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.ReplaceNodeRequest;
import io.parterre.proto.admin.ReturnDisruptionLeaseRequest;
import io.parterre.proto.admin.RotateKeyRequest;
import io.parterre.proto.admin.SuspendAccountRequest;
import io.parterre.proto.admin.TakeDisruptionLeaseRequest;
import io.parterre.proto.admin.UndrainNodeRequest;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.NodeState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A manager on real Ratis, nodes that obey, and an operator. */
@Timeout(120)
class OperatorsIT {
    private static final Policy POLICY =
            Policy.DEFAULT.withLiveness(Duration.ofSeconds(2), Duration.ofSeconds(5));

    private static final Duration BETWEEN_REPORTS = Duration.ofMillis(250);

    @TempDir private Path folder;
    private ManagerUnderTest manager;
    private final FakeNodes nodes = new FakeNodes("n1", "n2", "n3");
    private final AtomicReference<Duration> clockAhead = new AtomicReference<>(Duration.ZERO);

    /** Goes on with the reports, however long those take: nobody is silent by chance. */
    private final AtomicLong nanoTicker = new AtomicLong();

    @BeforeEach
    void start() throws Exception {
        PartitionManagerConfig config =
                TestConfig.single(
                        folder, TestConfig.account("configured", "secret"), 3, 10_000, POLICY);
        manager =
                ManagerUnderTest.startLeading(
                        config,
                        new LeaderClock(
                                () -> Instant.now().plus(clockAhead.get()), nanoTicker::get));
        until(() -> nodes.members().size() == 3 && status().getRangesWithoutLeader() == 0);
        until(() -> reasons().contains("nothing is to be done about it"));
    }

    @AfterEach
    void stop() {
        manager.close();
    }

    /** Lets the nodes report until it is so. */
    private void until(BooleanSupplier so) {
        await().atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> {
                            nodes.report(manager);
                            nanoTicker.addAndGet(BETWEEN_REPORTS.toNanos());
                            return so.getAsBoolean();
                        });
    }

    private ClusterStatus status() {
        return manager.admin().getStatus(GetStatusRequest.getDefaultInstance());
    }

    private List<String> reasons() {
        return manager.admin()
                .explainRange(ExplainRangeRequest.newBuilder().setRangeId(1).build())
                .getReasonsList();
    }

    private NodeStatus node(String name) {
        return manager
                .admin()
                .listNodes(ListNodesRequest.newBuilder().setNodeId(name).build())
                .getNodesList()
                .stream()
                .filter(node -> node.getNode().getNodeId().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<NodeStatus> nodes(boolean removed) {
        return manager.admin()
                .listNodes(ListNodesRequest.newBuilder().setRemoved(removed).build())
                .getNodesList();
    }

    private static void assertRefused(Status.Code code, String reason, Executable call) {
        assertThatThrownBy(call::execute)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> {
                            assertThat(e.getStatus().getCode()).isEqualTo(code);
                            assertThat(e.getStatus().getDescription()).contains(reason);
                        });
    }

    @Test
    void adminReportsStatusNodesAndRanges_whenClusterIsHealthy() {
        ClusterStatus status = status();
        assertThat(status.getNodesUp()).isEqualTo(3);
        assertThat(status.getRanges()).isEqualTo(1);
        assertThat(status.getLeader()).isEqualTo("manager:1");
        assertThat(status.getClusterId()).isNotEmpty();
        assertThat(status.getAccounts()).isEqualTo(1);
        assertThat(node("n1").getReplicas()).isEqualTo(1);
        assertThat(node("n1").getLiveness()).isEqualTo(Liveness.UP);

        var ranges = manager.admin().listRanges(ListRangesRequest.getDefaultInstance());
        assertThat(ranges.getRangesList()).hasSize(1);
        assertThat(ranges.getNextStart().isEmpty()).isTrue();
        assertThat(ranges.getRanges(0).getLeader()).isEqualTo(nodes.leader().orElseThrow());
        assertThat(ranges.getRanges(0).getMembersList())
                .allMatch(member -> !member.getMissing() && !member.getJoining());

        assertThat(reasons())
                .contains("3 of 3 members are healthy, 3 are wanted")
                .contains("nothing is to be done about it");
        assertRefused(
                Status.Code.NOT_FOUND,
                "range 7 does not exist",
                () ->
                        manager.admin()
                                .explainRange(
                                        ExplainRangeRequest.newBuilder().setRangeId(7).build()));
        assertRefused(
                Status.Code.INVALID_ARGUMENT,
                "rangeId",
                () -> manager.admin().explainRange(ExplainRangeRequest.getDefaultInstance()));
    }

    @Test
    void operatorMovesLeaderAndReplica_afterDryRunChangesNothing() {
        String before = nodes.leader().orElseThrow();
        String after = before.equals("n2") ? "n3" : "n2";
        MoveLeaderRequest lead =
                MoveLeaderRequest.newBuilder().setRangeId(1).setNodeId(after).build();
        ChangeResponse told = manager.admin().moveLeader(lead.toBuilder().setDryRun(true).build());
        assertThat(told.getEffectsList()).hasSize(1);
        nodes.report(manager);
        assertThat(nodes.leader()).contains(before);
        manager.admin().moveLeader(lead);
        until(() -> nodes.leader().orElseThrow().equals(after));

        nodes.add("n4", "");
        until(() -> status().getNodesUp() == 4);
        MoveReplicaRequest move =
                MoveReplicaRequest.newBuilder().setRangeId(1).setFrom(after).setTo("n4").build();
        manager.admin().moveReplica(move.toBuilder().setDryRun(true).build());
        assertThat(status().getMovesInProgress()).isZero();
        manager.admin().moveReplica(move);
        assertThat(status().getMovesInProgress()).isEqualTo(1);
        assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "being moved, split or merged already",
                () -> manager.admin().moveReplica(move));
        until(() -> status().getMovesInProgress() == 0);
        until(() -> !nodes.holders().contains(after));
        assertThat(nodes.members()).contains("n4").doesNotContain(after).hasSize(3);
        assertThat(nodes.carriedOut()).contains("TRANSFER_LEAD " + after);
    }

    @Test
    void nodeDrainsUndrainsAndDecommissions_whenOperatorRequests() {
        DrainNodeRequest drain =
                DrainNodeRequest.newBuilder().setNodeId("n1").setReplicas(true).build();
        assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "its replicas can go nowhere",
                () -> manager.admin().drainNode(drain));
        nodes.add("n4", "");
        until(() -> status().getNodesUp() == 4);
        assertThat(manager.admin().drainNode(drain).getEffectsList()).hasSize(3);
        assertThat(node("n1").getNode().getState()).isEqualTo(NodeState.DRAINING);
        assertThat(node("n1").getReplicasToGo()).isEqualTo(1);
        until(() -> node("n1").getReplicas() == 0 && !nodes.holders().contains("n1"));

        manager.admin().undrainNode(UndrainNodeRequest.newBuilder().setNodeId("n1").build());
        assertThat(node("n1").getNode().getState()).isEqualTo(NodeState.NODE_STATE_UNSPECIFIED);

        manager.admin()
                .decommissionNode(DecommissionNodeRequest.newBuilder().setNodeId("n4").build());
        until(() -> node("n4").getNode().getState() == NodeState.REMOVED);
        assertThat(nodes.holders()).containsExactly("n1", "n2", "n3");
        assertThat(node("n4").getLiveness()).isEqualTo(Liveness.LIVENESS_UNSPECIFIED);
        assertThat(nodes(false))
                .extracting(each -> each.getNode().getNodeId())
                .containsExactly("n1", "n2", "n3");
        assertThatThrownBy(() -> manager.heartbeat(ManagerUnderTest.report("n4", "")))
                .hasMessageContaining("has left the cluster");
        assertRefused(
                Status.Code.NOT_FOUND,
                "node n9 does not exist",
                () ->
                        manager.admin()
                                .drainNode(DrainNodeRequest.newBuilder().setNodeId("n9").build()));
    }

    @Test
    void namedNodeReceivesReplicas_whenOperatorReplacesNode() {
        nodes.add("n4", "");
        nodes.add("n5", "");
        until(() -> status().getNodesUp() == 5);
        ReplaceNodeRequest replace =
                ReplaceNodeRequest.newBuilder().setNodeId("n1").setReplacement("n5").build();
        assertThat(
                        manager.admin()
                                .replaceNode(replace.toBuilder().setDryRun(true).build())
                                .getEffectsList())
                .contains("node n5 gets 1 of its replicas");
        assertThat(node("n1").getReplacedBy()).isEmpty();
        manager.admin().replaceNode(replace);
        assertThat(node("n1").getReplacedBy()).isEqualTo("n5");
        assertThat(status().getNodesDraining()).isEqualTo(1);
        assertThat(status().getReplicasToGo()).isEqualTo(1);
        until(() -> node("n1").getNode().getState() == NodeState.REMOVED);
        assertThat(nodes.members()).containsExactlyInAnyOrder("n2", "n3", "n5");
        assertThat(status().getNodesDraining()).isZero();
    }

    @Test
    void replicaIsRepairedAndCounted_whenItsNodeIsDead() {
        nodes.add("n4", "");
        until(() -> status().getNodesUp() == 4);
        String dead = nodes.members().iterator().next();
        nodes.crash(dead);
        until(() -> status().getNodesDead() == 1);
        until(() -> !nodes.members().contains(dead) && status().getMovesInProgress() == 0);
        nodes.restart(dead);
        until(() -> !nodes.holders().contains(dead));
        assertThat(
                        manager.meters
                                .get("partition_manager_moves_total")
                                .tag("reason", "repair")
                                .tag("outcome", "done")
                                .counter()
                                .count())
                .isEqualTo(1);
        await().untilAsserted(
                        () ->
                                assertThat(
                                                manager.meters
                                                        .get("partition_manager_cluster_nodes")
                                                        .tag("liveness", "up")
                                                        .gauge()
                                                        .value())
                                        .isEqualTo(4));
    }

    @Test
    void disruptionLeaseIsRejected_whileHeldOrMajorityAtRisk() {
        TakeDisruptionLeaseRequest first =
                TakeDisruptionLeaseRequest.newBuilder()
                        .setNodeId("n1")
                        .setSeconds(60)
                        .setReason("disk")
                        .build();
        assertThat(
                        manager.admin()
                                .takeDisruptionLease(first.toBuilder().setDryRun(true).build())
                                .getEffectsList())
                .isNotEmpty();
        assertThat(status().hasDisruptionLease()).isFalse();
        assertThat(manager.admin().takeDisruptionLease(first).getSecondsLeft()).isEqualTo(60);
        assertThat(status().getDisruptionLease().getNodeId()).isEqualTo("n1");
        assertThat(status().getDisruptionLease().getSecondsLeft()).isBetween(1, 60);
        assertThat(status().getDisruptionLease().getReason()).isEqualTo("disk");
        assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "node n1 holds the disruption permit",
                () ->
                        manager.admin()
                                .takeDisruptionLease(first.toBuilder().setNodeId("n2").build()));
        until(() -> !nodes.leader().orElseThrow().equals("n1"));
        manager.admin()
                .returnDisruptionLease(
                        ReturnDisruptionLeaseRequest.newBuilder().setNodeId("n1").build());
        nodes.crash("n3");
        until(() -> status().getNodesUp() == 2);
        assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "would stand still",
                () -> manager.admin().takeDisruptionLease(first));
        assertRefused(
                Status.Code.INVALID_ARGUMENT,
                "seconds",
                () -> manager.admin().takeDisruptionLease(first.toBuilder().setSeconds(0).build()));
    }

    private HeartbeatRequest.Builder process(String node, String process) {
        return nodes.request(node).toBuilder().setProcess(process);
    }

    @Test
    void stopPermitIsReturned_onceRestartedServerReports() {
        HeartbeatRequest stops = process("n1", "p1").setStopPermitSeconds(600).build();
        assertThat(manager.heartbeat(stops).getStopPermitHeld()).isTrue();
        assertThat(status().getDisruptionLease().getNodeId()).isEqualTo("n1");
        HeartbeatResponse second =
                manager.heartbeat(process("n2", "p2").setStopPermitSeconds(600).build());
        assertThat(second.getStopPermitHeld()).isFalse();
        assertThat(second.getNoStopPermit()).isEqualTo("node n1 holds the disruption permit");

        manager.heartbeat(process("n1", "p1").build());
        assertThat(status().hasDisruptionLease()).as("the process still runs").isTrue();
        manager.heartbeat(process("n1", "p1-next").build());
        assertThat(status().hasDisruptionLease()).isFalse();
        assertThat(manager.heartbeat(process("n2", "p2").setStopPermitSeconds(600).build()))
                .matches(HeartbeatResponse::getStopPermitHeld);
        assertThat(manager.meters.get("partition_manager_permit_wait_seconds").timer().count())
                .isEqualTo(2);
        await().untilAsserted(
                        () ->
                                assertThat(
                                                manager.meters
                                                        .get(
                                                                "partition_manager_disruption_permit_held")
                                                        .tag("node", "n2")
                                                        .gauge()
                                                        .value())
                                        .isEqualTo(1));
    }

    @Test
    void listAccountsOmitsKeys_afterCreateAndRotateReturnThem() {
        CreateAccountRequest create = CreateAccountRequest.newBuilder().setName("made").build();
        AccountKeys told =
                manager.admin().createAccount(create.toBuilder().setDryRun(true).build());
        assertThat(told.getKeysList()).isEmpty();
        AccountKeys made = manager.admin().createAccount(create);
        assertThat(made.getKeysList()).hasSize(1);
        assertThat(made.getKeys(0).size()).isEqualTo(64);
        assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "exists already",
                () -> manager.admin().createAccount(create));
        assertRefused(
                Status.Code.INVALID_ARGUMENT,
                "account name",
                () -> manager.admin().createAccount(create.toBuilder().setName("No").build()));

        RotateKeyRequest rotate =
                RotateKeyRequest.newBuilder().setName("made").setKeyNumber(2).build();
        AccountKeys rotated = manager.admin().rotateKey(rotate);
        assertThat(rotated.getKeysList()).hasSize(2).startsWith(made.getKeys(0));
        assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "ruled by the managers' configuration",
                () -> manager.admin().rotateKey(rotate.toBuilder().setName("configured").build()));

        manager.admin()
                .suspendAccount(
                        SuspendAccountRequest.newBuilder()
                                .setName("made")
                                .setSuspended(true)
                                .build());
        List<Account> accounts =
                manager.admin()
                        .listAccounts(ListAccountsRequest.getDefaultInstance())
                        .getAccountsList();
        assertThat(accounts).extracting(Account::getName).containsExactly("configured", "made");
        assertThat(accounts).allMatch(account -> account.getKeysCount() == 0);
        assertThat(accounts.get(1).getSuspended()).isTrue();
        assertThat(
                        manager.admin()
                                .createAccount(
                                        create.toBuilder()
                                                .setName("brought")
                                                .setKey(ByteString.copyFromUtf8("own"))
                                                .build())
                                .getKeysList())
                .containsExactly(ByteString.copyFromUtf8("own"));
    }

    @Test
    void nodeLivenessStaysCorrect_whenWallClockIsStepped() {
        nodes.report(manager);
        clockAhead.set(Duration.ofHours(1));
        assertThat(node("n2").getLiveness())
                .as("nobody has reported since")
                .isNotEqualTo(Liveness.DEAD);
        clockAhead.set(Duration.ofHours(-1));

        nodes.crash("n3");
        until(() -> node("n3").getLiveness() == Liveness.DEAD);
        assertThat(node("n2").getLiveness()).isNotEqualTo(Liveness.DEAD);
    }
}

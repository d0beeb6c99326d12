package io.parterre.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.MoveReplicaRequest;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.LeadCertainty;
import io.parterre.proto.manager.Order;
import io.parterre.range.NodeId;
import io.parterre.testing.TestPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three managers on real Ratis; the one that leads is lost in the middle of something. */
@Timeout(180)
class ManagersIT {
    @TempDir private Path folder;
    private final List<ManagerMember> members = new ArrayList<>();
    private final List<ManagerUnderTest> managers = new ArrayList<>();
    private final FakeNodes nodes = new FakeNodes("n1", "n2", "n3");

    @BeforeEach
    void start() throws IOException {
        for (int i = 1; i <= 3; i++) {
            members.add(
                    new ManagerMember(
                            new NodeId("m" + i),
                            "127.0.0.1:" + TestPorts.next(),
                            "service-of-m" + i));
        }
        for (ManagerMember member : members) {
            managers.add(
                    ManagerUnderTest.start(
                            TestConfig.member(member, members, folder, Policy.DEFAULT)));
        }
        until(() -> nodes.members().size() == 3);
    }

    @AfterEach
    void stop() {
        ManagerUnderTest.closeAll(managers);
    }

    /** Lets the nodes report to whoever leads until it is so. */
    private void until(BooleanSupplier so) {
        await().atMost(Duration.ofSeconds(90))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> leader().isPresent() && so.getAsBoolean());
    }

    private Optional<ManagerUnderTest> leader() {
        return managers.stream().filter(nodes::report).findFirst();
    }

    private void move(String from, String to) {
        MoveReplicaRequest request =
                MoveReplicaRequest.newBuilder().setRangeId(1).setFrom(from).setTo(to).build();
        until(
                () -> {
                    try {
                        leader().orElseThrow().admin().moveReplica(request);
                        return true;
                    } catch (StatusRuntimeException notYet) {
                        // The range may still have to be confirmed, or the node to be heard of.
                        return false;
                    }
                });
    }

    private int movesInProgress() {
        return leader().map(this::status).map(ClusterStatus::getMovesInProgress).orElse(-1);
    }

    private ClusterStatus status(ManagerUnderTest manager) {
        return manager.admin().getStatus(GetStatusRequest.getDefaultInstance());
    }

    private ClusterStatus status() {
        return status(leader().orElseThrow());
    }

    private void loseTheLeader() {
        ManagerUnderTest lost = leader().orElseThrow();
        managers.remove(lost);
        lost.close();
    }

    private void stallsThenGoesOn(Predicate<Order> stalled, BooleanSupplier isThere) {
        nodes.add("n4", "");
        nodes.ignore(stalled);
        move("n2", "n4");
        until(isThere);
        assertThat(movesInProgress()).isEqualTo(1);
        loseTheLeader();

        nodes.ignore(order -> false);
        until(() -> movesInProgress() == 0 && !nodes.holders().contains("n2"));
        assertThat(nodes.members()).containsExactly("n1", "n3", "n4");
        assertThat(nodes.holders()).containsExactly("n1", "n3", "n4");
    }

    @Test
    void nextLeaderResumesMove_whenNewMemberIsNotYetAdded() {
        stallsThenGoesOn(Order::hasChangeMembers, () -> nodes.holders().contains("n4"));
    }

    @Test
    void nextLeaderResumesMove_whenOldMemberIsNotYetRemoved() {
        stallsThenGoesOn(
                order ->
                        order.hasChangeMembers() && order.getChangeMembers().getMembersCount() == 3,
                () -> nodes.members().contains("n4"));
    }

    @Test
    void followerManagerReturnsLeaderAddress_whenOperatorCallsIt() {
        ManagerUnderTest leader = leader().orElseThrow();
        String address = members.get(managers.indexOf(leader)).serviceAddress();
        for (ManagerUnderTest manager : managers) {
            if (manager == leader) {
                continue;
            }
            assertThatThrownBy(
                            () -> manager.admin().getStatus(GetStatusRequest.getDefaultInstance()))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> {
                                assertThat(e.getStatus().getCode())
                                        .isEqualTo(Status.Code.UNAVAILABLE);
                                assertThat(
                                                e.getTrailers()
                                                        .get(
                                                                Metadata.Key.of(
                                                                        "parterre-leader",
                                                                        Metadata
                                                                                .ASCII_STRING_MARSHALLER)))
                                        .isEqualTo(address);
                            });
        }
    }

    @Test
    void statusListsManagerAsSilent_whenItStops() {
        until(() -> status().getManagersUp() == 3);
        assertThat(status().getManagersSilentList()).isEmpty();
        ManagerUnderTest leader = leader().orElseThrow();
        int lost = managers.get(0) == leader ? 1 : 0;
        managers.remove(lost).close();
        until(() -> status().getManagersUp() == 2);
        assertThat(status().getManagersSilentList())
                .containsExactly(members.get(lost).nodeId().value());
    }

    /**
     * It takes itself for the one that leads for a while; others may have been told more by then.
     */
    @Test
    void leaderFailsLeadershipCheck_whenItsFollowersAreGone() throws Exception {
        ManagerUnderTest alone = leader().orElseThrow();
        HeartbeatRequest report = nodes.request("n1");
        HeartbeatRequest asking = report.toBuilder().setLeadAskedFor(true).build();
        assertThat(alone.heartbeat(report).getCertainty()).isEqualTo(LeadCertainty.NOT_ASKED_FOR);
        assertThat(alone.heartbeat(asking).getCertainty()).isEqualTo(LeadCertainty.CONFIRMED);

        List<Thread> closing = new ArrayList<>();
        for (ManagerUnderTest manager : List.copyOf(managers)) {
            if (manager != alone) {
                managers.remove(manager);
                Thread thread = new Thread(manager::close);
                thread.start();
                closing.add(thread);
            }
        }
        for (Thread thread : closing) {
            thread.join();
        }
        assertThatThrownBy(() -> alone.heartbeat(asking))
                .isInstanceOf(StatusRuntimeException.class);
    }
}

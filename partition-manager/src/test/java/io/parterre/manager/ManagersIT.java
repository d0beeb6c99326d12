package io.parterre.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.MoveReplicaRequest;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.LeadCertainty;
import io.parterre.proto.manager.Order;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    private ThreeManagers three;

    @BeforeEach
    void start() throws IOException {
        three = new ThreeManagers(folder);
    }

    @AfterEach
    void stop() {
        three.close();
    }

    private void move(String from, String to) {
        MoveReplicaRequest request =
                MoveReplicaRequest.newBuilder().setRangeId(1).setFrom(from).setTo(to).build();
        three.until(
                () -> {
                    try {
                        three.leader().orElseThrow().admin().moveReplica(request);
                        return true;
                    } catch (StatusRuntimeException notYet) {
                        // The range may still have to be confirmed, or the node to be heard of.
                        return false;
                    }
                });
    }

    private int movesInProgress() {
        return three.leader().map(this::status).map(ClusterStatus::getMovesInProgress).orElse(-1);
    }

    private ClusterStatus status(ManagerUnderTest manager) {
        return manager.admin().getStatus(GetStatusRequest.getDefaultInstance());
    }

    private ClusterStatus status() {
        return status(three.leader().orElseThrow());
    }

    private void loseTheLeader() {
        ManagerUnderTest lost = three.leader().orElseThrow();
        three.managers.remove(lost);
        lost.close();
    }

    private void stallsThenGoesOn(Predicate<Order> stalled, BooleanSupplier isThere) {
        three.nodes.add("n4", "");
        three.nodes.ignore(stalled);
        move("n2", "n4");
        three.until(isThere);
        assertThat(movesInProgress()).isEqualTo(1);
        loseTheLeader();

        three.nodes.ignore(order -> false);
        three.until(() -> movesInProgress() == 0 && !three.nodes.holders().contains("n2"));
        assertThat(three.nodes.members()).containsExactly("n1", "n3", "n4");
        assertThat(three.nodes.holders()).containsExactly("n1", "n3", "n4");
    }

    @Test
    void nextLeaderResumesMove_whenNewMemberIsNotYetAdded() {
        stallsThenGoesOn(Order::hasChangeMembers, () -> three.nodes.holders().contains("n4"));
    }

    @Test
    void nextLeaderResumesMove_whenOldMemberIsNotYetRemoved() {
        stallsThenGoesOn(
                order ->
                        order.hasChangeMembers() && order.getChangeMembers().getMembersCount() == 3,
                () -> three.nodes.members().contains("n4"));
    }

    @Test
    void followerManagerReturnsLeaderAddress_whenOperatorCallsIt() {
        ManagerUnderTest leader = three.leader().orElseThrow();
        String address = three.members.get(three.managers.indexOf(leader)).serviceAddress();
        for (ManagerUnderTest manager : three.managers) {
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
        three.until(() -> status().getManagersUp() == 3);
        assertThat(status().getManagersSilentList()).isEmpty();
        ManagerUnderTest leader = three.leader().orElseThrow();
        int lost = three.managers.get(0) == leader ? 1 : 0;
        three.managers.remove(lost).close();
        three.until(() -> status().getManagersUp() == 2);
        assertThat(status().getManagersSilentList())
                .containsExactly(three.members.get(lost).nodeId().value());
    }

    /**
     * It takes itself for the one that leads for a while; others may have been told more by then.
     */
    @Test
    void leaderFailsLeadershipCheck_whenItsFollowersAreGone() throws Exception {
        ManagerUnderTest alone = three.leader().orElseThrow();
        HeartbeatRequest report = three.nodes.request("n1");
        HeartbeatRequest asking = report.toBuilder().setLeadAskedFor(true).build();
        assertThat(alone.heartbeat(report).getCertainty()).isEqualTo(LeadCertainty.NOT_ASKED_FOR);
        assertThat(alone.heartbeat(asking).getCertainty()).isEqualTo(LeadCertainty.CONFIRMED);

        List<Thread> closing = new ArrayList<>();
        for (ManagerUnderTest manager : List.copyOf(three.managers)) {
            if (manager != alone) {
                three.managers.remove(manager);
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

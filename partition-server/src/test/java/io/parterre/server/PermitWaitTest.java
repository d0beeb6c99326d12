package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.Order;
import io.parterre.proto.manager.RebuildStore;
import io.parterre.proto.manager.RemoveReplica;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PermitWaitTest {
    private final AtomicInteger given = new AtomicInteger();
    private final PermitWait wait = new PermitWait("i-2", given::incrementAndGet);

    private static HeartbeatResponse leaveFor(String incarnation) {
        return HeartbeatResponse.newBuilder()
                .addOrders(
                        Order.newBuilder()
                                .setRebuildStore(
                                        RebuildStore.newBuilder().setIncarnation(incarnation)))
                .build();
    }

    @Test
    void rebuildPermissionIsTakenOnce_whenItsIncarnationMatches() {
        wait.pass(leaveFor("i-1"));
        wait.pass(HeartbeatResponse.getDefaultInstance());
        wait.pass(
                HeartbeatResponse.newBuilder()
                        .addOrders(
                                Order.newBuilder()
                                        .setRemoveReplica(RemoveReplica.newBuilder().setRangeId(1)))
                        .build());
        assertThat(given).hasValue(0);
        wait.pass(leaveFor("i-2"));
        wait.pass(leaveFor("i-2"));
        assertThat(given).hasValue(1);
    }

    @Test
    void rebuildDenialReasonIsKept_whenNextHeartbeatNamesNone() {
        assertThat(wait.noLeave()).contains("no partition manager");
        wait.pass(HeartbeatResponse.newBuilder().setNoLeave("range 1 is not well").build());
        wait.pass(HeartbeatResponse.getDefaultInstance());
        assertThat(wait.noLeave()).isEqualTo("range 1 is not well");
    }

    @Test
    void rebuildPermissionIsIgnored_afterClose() {
        wait.close();
        wait.pass(leaveFor("i-2"));
        assertThat(given).hasValue(0);
    }
}

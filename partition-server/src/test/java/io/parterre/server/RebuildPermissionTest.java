package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.Order;
import io.parterre.proto.manager.RebuildStore;
import io.parterre.proto.manager.RemoveReplica;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RebuildPermissionTest {
    private final AtomicInteger given = new AtomicInteger();
    private final RebuildPermission permission =
            new RebuildPermission("i-2", given::incrementAndGet);

    private static HeartbeatResponse permissionFor(String incarnation) {
        return HeartbeatResponse.newBuilder()
                .addOrders(
                        Order.newBuilder()
                                .setRebuildStore(
                                        RebuildStore.newBuilder().setIncarnation(incarnation)))
                .build();
    }

    @Test
    void rebuildPermissionIsTakenOnce_whenItsIncarnationMatches() {
        permission.pass(permissionFor("i-1"));
        permission.pass(HeartbeatResponse.getDefaultInstance());
        permission.pass(
                HeartbeatResponse.newBuilder()
                        .addOrders(
                                Order.newBuilder()
                                        .setRemoveReplica(RemoveReplica.newBuilder().setRangeId(1)))
                        .build());
        assertThat(given).hasValue(0);
        permission.pass(permissionFor("i-2"));
        permission.pass(permissionFor("i-2"));
        assertThat(given).hasValue(1);
    }

    @Test
    void rebuildDenialReasonIsKept_whenNextHeartbeatNamesNone() {
        assertThat(permission.whyNot()).contains("no partition manager");
        permission.pass(HeartbeatResponse.newBuilder().setNoLeave("range 1 is not well").build());
        permission.pass(HeartbeatResponse.getDefaultInstance());
        assertThat(permission.whyNot()).isEqualTo("range 1 is not well");
    }

    @Test
    void rebuildPermissionIsIgnored_afterClose() {
        permission.close();
        permission.pass(permissionFor("i-2"));
        assertThat(given).hasValue(0);
    }
}

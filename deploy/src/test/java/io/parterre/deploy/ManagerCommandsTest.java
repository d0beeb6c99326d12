package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.admin.ChangeManagersRequest;
import io.parterre.proto.manager.ManagerNode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** {@code manager}. */
class ManagerCommandsTest extends OperatorShell {
    @Test
    void managerListPrintsMembersAndPendingStep() {
        assertThat(run("manager", "list", "--manager=m2:2")).isZero();
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        headings -> assertThat(headings).startsWith("MANAGER  STATE"),
                        first -> assertThat(first).matches("m1 +member +yes +- +m1:1 +m1:2"),
                        second -> assertThat(second).matches("m2 +emptied +- +4s +m2:1 +m2:2"),
                        third -> assertThat(third).matches("m4 +expected +- +- +m4:1 +m4:2"),
                        step -> assertThat(step).isEqualTo("waits: manager m4 has not come yet"));
    }

    @Test
    void managerCommandsSendAddRemoveAndReplace() {
        ManagerNode m4 =
                ManagerNode.newBuilder()
                        .setNodeId("m4")
                        .setRaftAddress("h:1")
                        .setServiceAddress("h:2")
                        .build();
        String[] at = {"--raft=h:1", "--service=h:2", "--manager=m2:2"};
        assertThat(run("manager", "add", "m4", at[0], at[1], at[2])).isZero();
        assertThat(run("manager", "remove", "m1", "--dry-run", at[2])).isZero();
        assertThat(run("manager", "replace", "m1", "--with=m4", at[0], at[1], at[2])).isZero();
        assertThat(run("manager", "replace", "m4", at[0], at[1], at[2])).isZero();
        assertThat(leader.heard)
                .containsExactly(
                        ChangeManagersRequest.newBuilder().setAdd(m4).build(),
                        ChangeManagersRequest.newBuilder().setRemove("m1").setDryRun(true).build(),
                        ChangeManagersRequest.newBuilder().setRemove("m1").setAdd(m4).build(),
                        ChangeManagersRequest.newBuilder().setRemove("m4").setAdd(m4).build());
        assertThat(out.toString()).startsWith("managers change\nwould: managers change\n");
    }

    @Test
    void managerAddIsRejected_withoutValidAddresses() {
        assertThat(run("manager", "add", "m4", "--raft=h:1", "--manager=m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(run("manager", "add", "m4", "--raft=h:0", "--service=h:2", "--manager=m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("'h:0' (expected: a port that stays the same)");
        assertThat(run("manager")).isEqualTo(ExitCode.USAGE.code());
        assertThat(leader.heard).isEmpty();
    }

    /** What it does to a folder is for the manager's tests. */
    @Test
    void soleManagerIsRejected_withoutLossAcceptanceOrValidFolder() {
        String[] asked = {"manager", "alone", "--data-dir=no-such-folder", "--without=m2"};
        assertThat(run(asked)).isEqualTo(ExitCode.USAGE.code());
        String[] accepted = Arrays.copyOf(asked, asked.length + 1);
        accepted[asked.length] = "--accept-loss";
        assertThat(run(accepted)).isEqualTo(ExitCode.DATA_DIR_REFUSED.code());
        assertThat(err.toString()).contains("no-such-folder holds no manager");
    }
}

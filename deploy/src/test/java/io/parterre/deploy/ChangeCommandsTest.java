package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parterre.deploy.config.HostPort;
import io.parterre.proto.admin.DecommissionNodeRequest;
import io.parterre.proto.admin.DrainNodeRequest;
import io.parterre.proto.admin.MergeRangesRequest;
import io.parterre.proto.admin.MoveLeaderRequest;
import io.parterre.proto.admin.MoveReplicaRequest;
import io.parterre.proto.admin.RecoverRangeRequest;
import io.parterre.proto.admin.SplitRangeRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that change ranges and servers. */
class ChangeCommandsTest extends OperatorShell {
    @Test
    void commandsSendRequestsAndPrintOutcomes_withDryRunMarked() {
        assertThat(run("move-leader", "2", "s3", "--manager", "m2:2")).isZero();
        assertThat(run("move-leader", "2", "s3", "--manager", "m2:2", "--dry-run")).isZero();
        assertThat(run("move-replica", "2", "--from=s1", "--to=s3", "--manager=m2:2")).isZero();
        assertThat(run("split", "2", "--at=0a0b", "--leader=s3", "--manager=m2:2")).isZero();
        assertThat(run("split", "2", "--parts=4", "--manager=m2:2")).isZero();
        assertThat(run("merge", "2", "--manager=m2:2", "--dry-run")).isZero();
        assertThat(run("merge", "2", "3", "--manager=m2:2")).isZero();
        assertThat(run("drain", "s1", "--manager=m2:2")).isZero();
        assertThat(run("drain", "s1", "--replicas", "--manager=m2:2")).isZero();
        assertThat(run("undrain", "s1", "--manager=m2:2")).isZero();
        assertThat(run("decommission", "s1", "--dry-run", "--manager=m2:2")).isZero();
        assertThat(leader.heard)
                .contains(
                        MoveLeaderRequest.newBuilder().setRangeId(2).setNodeId("s3").build(),
                        MoveLeaderRequest.newBuilder()
                                .setRangeId(2)
                                .setNodeId("s3")
                                .setDryRun(true)
                                .build(),
                        MoveReplicaRequest.newBuilder()
                                .setRangeId(2)
                                .setFrom("s1")
                                .setTo("s3")
                                .build(),
                        SplitRangeRequest.newBuilder()
                                .setRangeId(2)
                                .setSplitPoint(ByteString.copyFrom(new byte[] {10, 11}))
                                .setLeader("s3")
                                .build(),
                        SplitRangeRequest.newBuilder().setRangeId(2).setParts(4).build(),
                        MergeRangesRequest.newBuilder().setLeftRangeId(2).setDryRun(true).build(),
                        MergeRangesRequest.newBuilder()
                                .setLeftRangeId(2)
                                .setRightRangeId(3)
                                .build(),
                        DrainNodeRequest.newBuilder().setNodeId("s1").build(),
                        DrainNodeRequest.newBuilder().setNodeId("s1").setReplicas(true).build(),
                        DecommissionNodeRequest.newBuilder()
                                .setNodeId("s1")
                                .setDryRun(true)
                                .build());
        assertThat(out.toString().lines())
                .containsExactly(
                        "lead goes to s3",
                        "would: lead goes to s3",
                        "replica moves",
                        "range is split",
                        "range is split",
                        "would: ranges are merged",
                        "ranges are merged",
                        "drains",
                        "drains",
                        "nothing to change",
                        "would: leaves");
    }

    @Test
    void rangeRecoveryIsRejected_untilDataLossIsAccepted() {
        RecoverRangeRequest look =
                RecoverRangeRequest.newBuilder().setRangeId(7).setDryRun(true).build();
        assertThat(run("recover", "range", "7", "--dry-run", "--manager=m2:2")).isZero();
        assertThat(run("recover", "range", "7", "--manager=m2:2"))
                .isEqualTo(ExitCode.REFUSED.code());
        assertThat(leader.heard).containsExactly(look, look);
        assertThat(out.toString())
                .containsPattern("s1 +up +yes +4 +2/10 +3/12 +the range goes on from it")
                .containsPattern("s2 +dead, not heard since this manager leads +yes +- +- +- +its")
                .contains("loss: what s2 alone held is lost", "would: range goes on");
        assertThat(out.toString())
                .endsWith(
                        "refused: nothing is done unless the loss is accepted:"
                                + " --accept-data-loss\n");

        leader.heard.clear();
        assertThat(run("recover", "range", "7", "--accept-data-loss", "--manager=m2:2")).isZero();
        assertThat(leader.heard)
                .as("what is done is what was shown")
                .containsExactly(
                        look,
                        RecoverRangeRequest.newBuilder()
                                .setRangeId(7)
                                .setFrom("s1")
                                .setAcceptDataLoss(true)
                                .build());
        assertThat(out.toString()).endsWith("\nrange goes on\n");

        leader.heard.clear();
        assertThat(
                        run(
                                "recover",
                                "range",
                                "7",
                                "--from=s2",
                                "--accept-data-loss",
                                "--manager=m2:2"))
                .isEqualTo(ExitCode.REFUSED.code());
        assertThat(leader.heard).containsExactly(look.toBuilder().setFrom("s2").build());
        assertThat(out.toString()).endsWith("refused: s2 is of no use\n");
    }

    @Test
    void splitAcceptsSplitPointOnlyInHexOrBase64() {
        assertThat(run("split", "2", "--at=0x", "--manager=m2:2")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString())
                .contains("--at: 0x (expected: hexadecimal digits, or base64:...)");
        // As a script has it whose variable is empty.
        assertThat(run("split", "2", "--at=", "--manager=m2:2")).isEqualTo(ExitCode.USAGE.code());
        assertThat(run("split", "2", "--at=base64:", "--manager=m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(run("split", "2", "--at=base64:CgsM", "--manager=m2:2")).isZero();
        assertThat(leader.heard)
                .containsExactly(
                        SplitRangeRequest.newBuilder()
                                .setRangeId(2)
                                .setSplitPoint(ByteString.copyFrom(new byte[] {10, 11, 12}))
                                .build());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--parts=1", "--parts=17", "--parts=3 --at=0a0b", "--parts=3 --leader=s3"})
    void splitIsRejected_whenPartsOptionIsInvalid(String options) {
        List<String> all = new ArrayList<>(List.of("split", "2", "--manager=m2:2"));
        all.addAll(List.of(options.split(" ")));
        assertThat(run(all.toArray(String[]::new))).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("(expected: 2 to 16, or 2 with --at or --leader)");
        assertThat(leader.heard).isEmpty();
    }

    @Test
    void moveReplicaIsRejected_withoutSourceAndTarget() {
        assertThat(run("move-replica", "2", "--manager=m2:2")).isEqualTo(ExitCode.USAGE.code());
        assertThat(leader.heard).isEmpty();
    }

    @Test
    void flushRunsOnAllServers_whenNoneIsNamed() throws Exception {
        served.add(transport.serve(new HostPort("s1", 1), List.of(new FakeNode(3))));
        served.add(transport.serve(new HostPort("s2", 1), List.of(new FakeNode(5))));
        assertThat(run("flush", "--manager=m2:2")).isZero();
        assertThat(out.toString().lines())
                .containsExactly("s1: flushed, replicas: 3", "s2: flushed, replicas: 5");
        out.getBuffer().setLength(0);
        assertThat(run("flush", "s2", "--manager=m2:2")).isZero();
        assertThat(out.toString().lines()).containsExactly("s2: flushed, replicas: 5");
        out.getBuffer().setLength(0);
        assertThat(run("flush", "--dry-run", "--manager=m2:2")).isZero();
        assertThat(out.toString().lines())
                .containsExactly("s1: would flush, replicas: 3", "s2: would flush, replicas: 0");
        assertThat(run("flush", "s9", "--manager=m2:2")).isEqualTo(ExitCode.REFUSED.code());
        assertThat(err.toString()).contains("no node 's9' (expected: one of [s1, s2])");
    }

    @Test
    void flushFailsNamingServer_whenItDoesNotAnswer() {
        assertThat(run("flush", "s1", "--manager=m2:2"))
                .isEqualTo(ExitCode.CLUSTER_UNREACHABLE.code());
        assertThat(err.toString())
                .startsWith("parterre: node s1, asked at s1:1 to flush, ")
                .hasLineCount(1);
    }
}

package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.network.InProcessTransport;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.network.Transport;
import io.parterre.manager.plan.policy.PolicyTable;
import io.parterre.proto.admin.ChangeManagersRequest;
import io.parterre.proto.admin.CreateAccountRequest;
import io.parterre.proto.admin.DecommissionNodeRequest;
import io.parterre.proto.admin.DrainNodeRequest;
import io.parterre.proto.admin.FinalizeUpgradeRequest;
import io.parterre.proto.admin.ListJournalRequest;
import io.parterre.proto.admin.MergeRangesRequest;
import io.parterre.proto.admin.MoveLeaderRequest;
import io.parterre.proto.admin.MoveReplicaRequest;
import io.parterre.proto.admin.PolicySetting;
import io.parterre.proto.admin.RecoverRangeRequest;
import io.parterre.proto.admin.RotateKeyRequest;
import io.parterre.proto.admin.SetPolicyRequest;
import io.parterre.proto.admin.SplitRangeRequest;
import io.parterre.proto.admin.SuspendAccountRequest;
import io.parterre.proto.admin.WhatIfRequest;
import io.parterre.proto.manager.ManagerNode;
import io.parterre.proto.node.FlushRequest;
import io.parterre.proto.node.FlushResponse;
import io.parterre.proto.node.NodeServiceGrpc;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class OperatorCommandsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final InProcessTransport transport = new InProcessTransport();
    private final FakeAdmin follower = new FakeAdmin(Optional.of("m2:2"));
    private final FakeAdmin leader = new FakeAdmin(Optional.empty());
    private final List<Transport.Served> served = new ArrayList<>();

    @BeforeEach
    void serve() throws IOException {
        served.add(transport.serve(new HostPort("m1", 1), List.of(follower)));
        served.add(transport.serve(new HostPort("m2", 2), List.of(leader)));
    }

    @AfterEach
    void end() {
        served.forEach(Transport.Served::close);
    }

    @Test
    void statusFollowsNamedLeader_whenGivenAFollower() {
        assertThat(run("status", "--manager", "m1:1")).isZero();
        assertThat(follower.heard).hasSize(1);
        assertThat(leader.heard).hasSize(1);
        assertThat(out.toString())
                .containsPattern("leader +m2:2")
                .containsPattern("managers +2 up, nothing is heard of m3")
                .containsPattern("nodes +2 up, 0 suspect, 1 dead")
                .containsPattern("ranges +3, 0 without leader, 1 under-replicated")
                .containsPattern("merges +1 in progress")
                .containsPattern("draining +1 node, 3 replicas to go")
                .containsPattern("maintenance +node s2 may be down for 40 s: disk");
    }

    @Test
    void statusSkipsManager_whenItIsUnreachable() {
        assertThat(run("status", "--manager", "gone:9,m2:2")).isZero();
    }

    @Test
    void statusFailsAsClusterUnreachable_whenNoManagerAnswers() {
        assertThat(run("status", "--manager", "gone:9", "--timeout", "1"))
                .isEqualTo(ExitCode.CLUSTER_UNREACHABLE.code());
        assertThat(err.toString())
                .startsWith("parterre: no partition manager that leads has answered within 1 s")
                .doesNotContain("\tat ");
    }

    @Test
    void statusSkipsAddress_whenItIsNoManager() throws IOException {
        served.add(transport.serve(new HostPort("s1", 1), List.of(new FakeNode(1))));
        assertThat(run("status", "--manager", "s1:1,m2:2")).isZero();
        assertThat(run("status", "--manager", "s1:1"))
                .isEqualTo(ExitCode.CLUSTER_UNREACHABLE.code());
        assertThat(err.toString().lines())
                .containsExactly(
                        "parterre: no partition manager that leads has answered within 15 s, asked:",
                        "  s1:1: answers, but is no partition manager, or one that does not know"
                                + " this call");
    }

    @Test
    void statusHintsAtWrongPort_whenAnotherServiceAnswers() throws Exception {
        try (ServerSocket http = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread web = new Thread(() -> answerAsHttp1(http));
            web.setDaemon(true);
            web.start();
            String address = "127.0.0.1:" + http.getLocalPort();
            int code =
                    Launcher.commandLine(NetworkTransport::new)
                            .setErr(new PrintWriter(err, true))
                            .execute("status", "--timeout", "60", "--manager", address);
            assertThat(code).isEqualTo(ExitCode.CLUSTER_UNREACHABLE.code());
            assertThat(err.toString().lines())
                    .containsExactly(
                            "parterre: no partition manager that leads has answered within 60 s,"
                                    + " asked:",
                            "  "
                                    + address
                                    + ": answers, but not as a partition manager's service does"
                                    + " (another port?)");
        }
    }

    private static void answerAsHttp1(ServerSocket http) {
        byte[] answer =
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII);
        while (!http.isClosed()) {
            try (Socket client = http.accept()) {
                client.getOutputStream().write(answer);
                client.getOutputStream().flush();
                client.shutdownOutput();
                client.getInputStream().readAllBytes();
            } catch (IOException gone) {
                // The test has ended, or the client has.
                continue;
            }
        }
    }

    @Test
    void statusFailsWithUsage_withoutAValidManagerAddress() {
        assertThat(run("status")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("no partition manager given");
        assertThat(run("status", "--manager", "nonsense")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("'nonsense' (expected: host:port)");
    }

    @Test
    void nodesPrintsTableAndJson() throws Exception {
        assertThat(run("nodes", "--manager", "m2:2")).isZero();
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        headings -> assertThat(headings).startsWith("NODE  HEARD"),
                        first ->
                                assertThat(first)
                                        .matches(
                                                "s1 +up +in use +3 +2 +1 +67% +- +west +s1:1 +- +-"),
                        second ->
                                assertThat(second)
                                        .matches(
                                                "s2 +suspect 7s +decommissioning +0 +0 +0"
                                                        + " +- +3, 3\\.0 MiB \\(40 s\\) to s1"
                                                        + " +- +s2:1 +- +-"));
        out.getBuffer().setLength(0);
        assertThat(run("nodes", "--manager", "m2:2", "--json")).isZero();
        JsonNode nodes = new ObjectMapper().readTree(out.toString()).path("nodes");
        JsonNode first = nodes.path(0);
        assertThat(first.path("node").path("state").asText()).isEqualTo("in_use");
        assertThat(first.path("diskUsedPercent").asInt()).isEqualTo(67);
        JsonNode second = nodes.path(1);
        assertThat(second.path("node").path("serviceAddress").asText()).isEqualTo("s2:1");
        assertThat(second.path("node").path("state").asText()).isEqualTo("decommissioning");
        assertThat(second.path("silentMillis").asInt()).isEqualTo(7_100);
        assertThat(second.path("leads").isInt()).isTrue();
    }

    @Test
    void rangesPrintsAllPages_untilTheLimit() {
        assertThat(run("ranges", "--manager", "m2:2")).isZero();
        assertThat(leader.heard).hasSize(FakeAdmin.RANGES);
        assertThat(out.toString().lines().toList())
                .hasSize(1 + FakeAdmin.RANGES)
                .anyMatch(
                        line ->
                                line.matches(
                                        "1 +4 +s1 +s1,s2\\(dead missing\\) +\\(first\\) +3.0MiB +13 +-"))
                .anyMatch(line -> line.matches("2 +4 .* 01 +0B +- +\\+s3 -s2 12s copying"))
                .anyMatch(line -> line.matches("3 +4 .* goes into 2 5s has to be joined"));
        out.getBuffer().setLength(0);
        assertThat(run("ranges", "--manager", "m2:2", "--limit", "2")).isZero();
        assertThat(out.toString().lines().toList())
                .hasSize(4)
                .endsWith("there are more; --limit shows them");
    }

    @Test
    void explainNodePrintsStateAndReasons() {
        assertThat(run("explain", "node", "s1", "--manager", "m2:2")).isZero();
        assertThat(out.toString())
                .contains("node s1")
                .contains("it is UP, silent for 0 s, and ACTIVE")
                .contains("node s2 is dead");
    }

    @Test
    void journalPrintsEntries_withRequestedFilters() throws Exception {
        assertThat(
                        run(
                                "journal",
                                "--manager",
                                "m2:2",
                                "--since",
                                "1970-01-01T00:00:30Z",
                                "--range",
                                "2",
                                "--node",
                                "s3",
                                "--limit",
                                "5"))
                .isZero();
        assertThat(leader.heard)
                .containsExactly(
                        ListJournalRequest.newBuilder()
                                .setSinceMillis(30_000)
                                .setRangeId(2)
                                .setNodeId("s3")
                                .setCountMax(5)
                                .build());
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        more ->
                                assertThat(more)
                                        .isEqualTo("there are 7 older ones; --limit shows more"),
                        headings -> assertThat(headings).matches("TIME +WHAT +RANGE +NODE +WHY"),
                        move ->
                                assertThat(move)
                                        .matches(
                                                "1970-01-01T00:00:01Z +decided move +2 +s3,s2"
                                                        + " +\\+s3 -s2, REPAIR: node s2 is dead"),
                        left ->
                                assertThat(left)
                                        .matches(
                                                "1970-01-01T00:01:02Z +left no_cut +3 +- +3000"
                                                        + " operations a second \\(60 times since"
                                                        + " 1970-01-01T00:00:02Z\\)"));
        out.getBuffer().setLength(0);
        assertThat(run("journal", "--manager", "m2:2", "--json")).isZero();
        assertThat(
                        new ObjectMapper()
                                .readTree(out.toString())
                                .path("entries")
                                .path(1)
                                .path("count")
                                .asInt())
                .isEqualTo(60);
        assertThat(run("journal", "--manager", "m2:2", "--since", "then"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("--since: 'then' (expected: as 30m");
    }

    @Test
    void policyIsShownAndSet_withTheRequestersName(@TempDir Path folder) throws IOException {
        assertThat(run("policy", "get", "--manager", "m2:2")).isZero();
        assertThat(out.toString())
                .contains("version 4")
                .containsPattern("replicas +5 +3 +1, 3, 5, 7 +replicas of each range");
        out.getBuffer().setLength(0);
        assertThat(run("policy", "get", "--settings", "--manager", "m2:2")).isZero();
        Path file = Files.writeString(folder.resolve("in-force"), out.toString());
        assertThat(out.toString().lines()).containsExactly("# version 4", "replicas=5");
        leader.heard.clear();
        assertThat(
                        run(
                                "policy",
                                "set",
                                file.toString(),
                                "movesMax = 8",
                                "--version-seen",
                                "4",
                                "--dry-run",
                                "--manager",
                                "m2:2"))
                .isZero();
        assertThat(out.toString()).contains("would: replicas: 3 -> 5");
        assertThat(leader.heard.get(0))
                .isInstanceOfSatisfying(
                        SetPolicyRequest.class,
                        request -> {
                            assertThat(request.getSettingsList())
                                    .containsExactly(
                                            setting("replicas", "5"), setting("movesMax", "8"));
                            assertThat(request.getVersion()).isEqualTo(4);
                            assertThat(request.getDryRun()).isTrue();
                            assertThat(request.getBy())
                                    .startsWith(System.getProperty("user.name") + "@");
                        });
        assertThat(run("policy", "set", "replicas", "--manager", "m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString())
                .contains("'replicas' (expected: KEY=VALUE, or a file of such lines)");
    }

    @Test
    void upgradeIsShownAndFinalized_withWhatHinders() {
        assertThat(run("upgrade", "status", "--manager", "m2:2")).isZero();
        assertThat(out.toString())
                .contains("feature level 1")
                .containsPattern("manager +m1 +1\\.\\.2 +0\\.2")
                .containsPattern("server +s1 +no answer")
                .contains("hinders: server s1 does not answer")
                .contains("cannot be finalized to level 2 yet, which brings SLICED_ENTRIES");
        leader.heard.clear();
        assertThat(run("upgrade", "finalize", "--level", "2", "--dry-run", "--manager", "m2:2"))
                .isZero();
        assertThat(out.toString()).contains("would: from level 1 to level 2");
        assertThat(leader.heard)
                .containsExactly(
                        FinalizeUpgradeRequest.newBuilder().setLevel(2).setDryRun(true).build());
        assertThat(run("upgrade")).isEqualTo(ExitCode.USAGE.code());
    }

    @Test
    void policyHelpNamesEveryPolicyKey() {
        assertThat(run("policy", "set", "--help")).isZero();
        PolicyTable.KEYS.forEach(
                key -> assertThat(out.toString()).contains(key.name()).contains(key.allowed()));
    }

    private static PolicySetting setting(String key, String value) {
        return PolicySetting.newBuilder().setKey(key).setValue(value).build();
    }

    @Test
    void whatIfPrintsDecisions_forTriedPolicyAndNodeDown(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(folder.resolve("tried"), "# larger\nreplicas=5\n\nmovesMax=8\n");
        assertThat(
                        run(
                                "what-if",
                                "--policy",
                                file.toString(),
                                "balanceBand=3",
                                "--node-down",
                                "s2",
                                "--rounds",
                                "4",
                                "--manager",
                                "m2:2"))
                .isZero();
        assertThat(leader.heard)
                .containsExactly(
                        WhatIfRequest.newBuilder()
                                .addSettings(setting("replicas", "5"))
                                .addSettings(setting("movesMax", "8"))
                                .addSettings(setting("balanceBand", "3"))
                                .addNodesDown("s2")
                                .setRoundsMax(4)
                                .build());
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        change -> assertThat(change).isEqualTo("policy: replicas: 3 -> 5"),
                        down -> assertThat(down).isEqualTo("down: s2"),
                        round -> assertThat(round).isEqualTo("round 1"),
                        headings -> assertThat(headings).matches("WHAT +RANGE +WHY"),
                        move -> assertThat(move).matches("decided move +2 +\\+s3 -s2.*"),
                        more -> assertThat(more).isEqualTo("and 2 more"),
                        end -> assertThat(end).isEqualTo("nothing more would be done"));
        assertThat(run("what-if", "--policy", folder + "/none", "--manager", "m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("(expected: KEY=VALUE, or a file of such lines)");
    }

    @Test
    void explainRangePrintsStateAndRejectsUnknownRange() {
        assertThat(run("explain", "range", "2", "--manager", "m2:2")).isZero();
        assertThat(out.toString())
                .contains("range 2, generation 4, leader s1")
                .contains("to the last\n")
                .containsPattern("s1 +up +70 +- +-")
                .containsPattern("s2 +dead +0 +0 +dead missing")
                .contains("move: +s3 -s2 12s copying: s2 is dead")
                .doesNotContain("goes into")
                .contains("2 of 3 members are healthy");
        assertThat(run("explain", "range", "3", "--manager", "m2:2")).isZero();
        assertThat(out.toString()).contains("goes into 2 5s has to be joined: QUIET");
        assertThat(run("explain", "range", "99", "--manager", "m2:2"))
                .isEqualTo(ExitCode.REFUSED.code());
        assertThat(err.toString()).isEqualTo("parterre: range 99 does not exist\n");
    }

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
                                .setCut(ByteString.copyFrom(new byte[] {10, 11}))
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
                        "range is cut",
                        "range is cut",
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
                                .setCut(ByteString.copyFrom(new byte[] {10, 11, 12}))
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

    @Test
    void frontEndsPrintsHowFarRangeMapsLag() {
        assertThat(run("front-ends", "--manager=m2:2")).isZero();
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        headings -> assertThat(headings).startsWith("FRONT END"),
                        first -> assertThat(first).matches("f1 +f1:10002 +9 +8 +3 +70s +1\\.2"),
                        silent ->
                                assertThat(silent).matches("f2 +f2:10002 +- +7 +5 +silent 30s +-"));
    }

    @Test
    void rotateKeyNamesFrontEndsThatHaveNotHeard() {
        leader.accountsVersion = 8;
        assertThat(run("account", "rotate-key", "orders", "2", "--manager=m2:2")).isZero();
        assertThat(out.toString().lines().toList())
                .contains("key 1   bWFkZQ==")
                .endsWith(
                        "not heard by front end f2 at f2:10002, silent for 30 s: it goes by the"
                                + " accounts of before")
                .noneMatch(line -> line.contains("f1"));
        out.getBuffer().setLength(0);
        assertThat(run("account", "rotate-key", "orders", "2", "--json", "--manager=m2:2"))
                .isZero();
        assertThat(out.toString()).contains("unheardFrontEnds").contains("f2:10002");
    }

    @Test
    void rotateKeyNamesNoFrontEnd_whenAllHaveHeard() {
        leader.accountsVersion = 7;
        assertThat(run("account", "rotate-key", "orders", "2", "--manager=m2:2")).isZero();
        assertThat(out.toString()).doesNotContain("not heard");
    }

    @Test
    void nodesHidesRemovedServers_withoutAllFlag() {
        assertThat(run("nodes", "--manager=m2:2")).isZero();
        assertThat(out.toString()).doesNotContain("removed");
        assertThat(run("nodes", "--all", "--manager=m2:2")).isZero();
        assertThat(out.toString()).containsPattern("s0 +- +removed +0 +0 +0 +- ");
    }

    @Test
    void accountCommandsCreateListRotateAndSuspend() {
        assertThat(run("account", "create", "orders", "--key=c2VjcmV0", "--manager=m2:2")).isZero();
        assertThat(run("account", "list", "--manager=m2:2")).isZero();
        assertThat(run("account", "rotate-key", "orders", "2", "--manager=m2:2")).isZero();
        assertThat(run("account", "suspend", "orders", "--manager=m2:2")).isZero();
        assertThat(run("account", "resume", "orders", "--manager=m2:2", "--dry-run")).isZero();
        assertThat(leader.heard)
                .contains(
                        CreateAccountRequest.newBuilder()
                                .setName("orders")
                                .setKey(ByteString.copyFromUtf8("secret"))
                                .build(),
                        RotateKeyRequest.newBuilder().setName("orders").setKeyNumber(2).build(),
                        SuspendAccountRequest.newBuilder()
                                .setName("orders")
                                .setSuspended(true)
                                .build(),
                        SuspendAccountRequest.newBuilder()
                                .setName("orders")
                                .setDryRun(true)
                                .build());
        assertThat(out.toString())
                .contains("account orders\nkey 1   bWFkZQ==\n")
                .containsPattern("orders +7 +suspended")
                .endsWith("suspended\nwould: resumed\n");
    }

    @Test
    void invalidAccountKeyIsRejected_withoutPrintingIt() {
        assertThat(run("account", "create", "orders", "--key=s:cret", "--manager=m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("--key: (expected: Base64)").doesNotContain("s:cret");
        assertThat(run("account", "rotate-key", "orders", "3", "--manager=m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
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

    @Test
    void flushFailsNamingServer_whenItDoesNotAnswer() {
        assertThat(run("flush", "s1", "--manager=m2:2"))
                .isEqualTo(ExitCode.CLUSTER_UNREACHABLE.code());
        assertThat(err.toString())
                .startsWith("parterre: node s1, asked at s1:1 to flush, ")
                .hasLineCount(1);
    }

    @Test
    void subcommandDescriptionsAreWholeSentences() {
        for (String parent : List.of("local-cluster", "account", "manager", "maintenance")) {
            CommandLine command =
                    Launcher.commandLine(() -> transport).getSubcommands().get(parent);
            assertThat(command.getSubcommands().values())
                    .allSatisfy(
                            each ->
                                    assertThat(
                                                    each.getCommandSpec()
                                                            .usageMessage()
                                                            .description()[0])
                                            .matches(".*[.:]"));
        }
    }

    @Test
    void everyCommandHelpShowsExitCodesAndExamples() {
        for (List<String> command :
                List.of(
                        List.of("status"),
                        List.of("nodes"),
                        List.of("ranges"),
                        List.of("front-ends"),
                        List.of("manager", "list"),
                        List.of("manager", "add"),
                        List.of("manager", "remove"),
                        List.of("manager", "replace"),
                        List.of("manager", "alone"),
                        List.of("explain", "range"),
                        List.of("move-leader"),
                        List.of("move-replica"),
                        List.of("drain"),
                        List.of("undrain"),
                        List.of("decommission"),
                        List.of("replace"),
                        List.of("maintenance", "begin"),
                        List.of("maintenance", "end"),
                        List.of("maintenance", "show"),
                        List.of("account", "create"),
                        List.of("account", "list"),
                        List.of("account", "rotate-key"),
                        List.of("account", "suspend"),
                        List.of("account", "resume"),
                        List.of("flush"),
                        List.of("snapshot"),
                        List.of("recover", "range"),
                        List.of("recover", "entry"))) {
            out.getBuffer().setLength(0);
            List<String> arguments = new ArrayList<>(command);
            arguments.add("--help");
            assertThat(run(arguments.toArray(String[]::new))).as("%s", command).isZero();
            assertThat(out.toString())
                    .as("%s", command)
                    .contains("Usage: parterre " + String.join(" ", command))
                    .contains("Exit codes:")
                    .contains("Examples:");
        }
    }

    private int run(String... arguments) {
        return Launcher.commandLine(() -> transport)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private static final class FakeNode extends NodeServiceGrpc.NodeServiceImplBase {
        private final int replicas;

        FakeNode(int replicas) {
            this.replicas = replicas;
        }

        @Override
        public void flush(FlushRequest request, StreamObserver<FlushResponse> responses) {
            responses.onNext(FlushResponse.newBuilder().setReplicas(replicas).build());
            responses.onCompleted();
        }
    }
}

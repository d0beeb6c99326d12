package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.stub.StreamObserver;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.network.InProcessTransport;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.DecommissionNodeRequest;
import io.parterre.proto.admin.DrainNodeRequest;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.ReplaceNodeRequest;
import io.parterre.proto.admin.ReturnDisruptionLeaseRequest;
import io.parterre.proto.admin.TakeDisruptionLeaseRequest;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.NodeState;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.ReplicaSnapshot;
import io.parterre.proto.node.TakeSnapshotRequest;
import io.parterre.proto.node.TakeSnapshotResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators' commands for taking servers down, emptying them and replacing them. */
class WaitingCommandsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final InProcessTransport transport = new InProcessTransport();
    private final FakeAdmin manager = new FakeAdmin(Optional.empty());
    private final List<Transport.Served> served = new ArrayList<>();

    @BeforeEach
    void serve() throws IOException {
        served.add(transport.serve(new HostPort("m1", 1), List.of(manager)));
    }

    @AfterEach
    void end() {
        served.forEach(Transport.Served::close);
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--manager=m1:1");
        return Launcher.commandLine(tls -> transport)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }

    private static NodeStatus.Builder first(NodeState state) {
        return NodeStatus.newBuilder()
                .setNode(
                        Node.newBuilder().setNodeId("s1").setServiceAddress("s1:1").setState(state))
                .setLiveness(Liveness.UP);
    }

    @Test
    void maintenanceBeginWaits_untilLeaseIsGrantedAndNothingIsLed() {
        manager.leaveRefused.set(2);
        manager.firstNode.add(first(NodeState.NODE_STATE_UNSPECIFIED).setLeads(2).build());
        manager.firstNode.add(first(NodeState.NODE_STATE_UNSPECIFIED).setLeads(1).build());
        manager.firstNode.add(first(NodeState.NODE_STATE_UNSPECIFIED).build());
        assertThat(run("maintenance", "begin", "s1", "--for=90s", "--reason=kernel", "--wait"))
                .isZero();
        assertThat(manager.heard)
                .contains(
                        TakeDisruptionLeaseRequest.newBuilder()
                                .setNodeId("s1")
                                .setSeconds(90)
                                .setReason("kernel")
                                .build());
        assertThat(out.toString()).isEqualTo("may be down\n");
        assertThat(err.toString())
                .isEqualTo(
                        "no permit yet: node s2 holds the disruption permit\ns1: 1 led range to go\n");
        assertThat(manager.firstNode).isEmpty();
    }

    @Test
    void maintenanceBeginFailsAtOnce_whenLeaseIsRejectedWithoutWait() {
        manager.leaveRefused.set(1);
        assertThat(run("maintenance", "begin", "s1")).isEqualTo(ExitCode.REFUSED.code());
        assertThat(err.toString()).isEqualTo("parterre: node s2 holds the disruption permit\n");
    }

    @Test
    void maintenanceBeginStopsWaiting_whenTimeoutPasses() {
        manager.leaveRefused.set(1_000_000);
        assertThat(run("maintenance", "begin", "s1", "--wait", "--wait-max=300ms"))
                .isEqualTo(ExitCode.NOT_YET.code());
        assertThat(err.toString())
                .endsWith(
                        "parterre: not yet: no permit yet: node s2 holds the disruption permit\n");
        assertThat(run("maintenance", "begin", "s1", "--for=never"))
                .isEqualTo(ExitCode.USAGE.code());
    }

    @Test
    void maintenanceEndReturnsLease_afterServerIsUpAndCaughtUp() {
        manager.firstNode.add(
                first(NodeState.NODE_STATE_UNSPECIFIED).setLiveness(Liveness.SUSPECT).build());
        manager.firstNode.add(
                first(NodeState.NODE_STATE_UNSPECIFIED)
                        .setReplicas(3)
                        .setReplicasBehind(2)
                        .build());
        manager.firstNode.add(first(NodeState.NODE_STATE_UNSPECIFIED).setReplicas(3).build());
        assertThat(run("maintenance", "end", "s1", "--wait")).isZero();
        assertThat(err.toString()).isEqualTo("s1: not up\ns1: 2 of 3 replicas behind\n");
        assertThat(out.toString()).isEqualTo("permit returned\n");
        Object last = manager.heard.get(manager.heard.size() - 1);
        assertThat(last)
                .isEqualTo(ReturnDisruptionLeaseRequest.newBuilder().setNodeId("s1").build());
    }

    private static Path serverFolder(Path data, String node) throws IOException {
        Path folder = Files.createDirectories(data.resolve("server"));
        Files.writeString(folder.resolve("NODE"), "format=1\nnode=" + node + "\n");
        return data;
    }

    @Test
    void commandsTakeNameOfOwnServer_fromItsDataFolderThenSettings(@TempDir Path folder)
            throws Exception {
        Path data = serverFolder(folder.resolve("data"), "s1");
        Path file =
                Files.writeString(
                        folder.resolve("own.yaml"), "dataDir: " + data + "\nserver: {id: other}\n");
        assertThat(run("maintenance", "begin", "--self", "--config=" + file)).isZero();
        assertThat(run("maintenance", "end", "--self", "--config=" + file)).isZero();
        assertThat(run("drain", "--self", "--data-dir=" + data)).isZero();
        assertThat(run("decommission", "--self", "--dry-run", "--config=" + file)).isZero();
        assertThat(
                        run(
                                "drain",
                                "--self",
                                "--config=" + file,
                                "--data-dir=" + folder.resolve("none")))
                .isZero();
        assertThat(manager.heard)
                .containsExactly(
                        TakeDisruptionLeaseRequest.newBuilder()
                                .setNodeId("s1")
                                .setSeconds(600)
                                .build(),
                        ReturnDisruptionLeaseRequest.newBuilder().setNodeId("s1").build(),
                        DrainNodeRequest.newBuilder().setNodeId("s1").build(),
                        DecommissionNodeRequest.newBuilder()
                                .setNodeId("s1")
                                .setDryRun(true)
                                .build(),
                        DrainNodeRequest.newBuilder().setNodeId("other").build());
    }

    @Test
    void commandIsRefused_whenItsServerIsNotKnown(@TempDir Path folder) throws Exception {
        assertThat(run("drain", "--self", "--data-dir=" + folder)).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("--self: no server in").contains("PARTERRE_DATA_DIR");
        assertThat(run("drain")).isEqualTo(ExitCode.USAGE.code());
        assertThat(run("drain", "s1", "--self")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("which server? (expected: NODE, or --self)");
        Path damaged = serverFolder(folder.resolve("damaged"), "");
        assertThat(run("drain", "--self", "--data-dir=" + damaged))
                .isEqualTo(ExitCode.DATA_DIR_REFUSED.code());
        assertThat(manager.heard).isEmpty();
    }

    @Test
    void maintenanceShowPrintsDisruptionLeaseHolder() throws Exception {
        assertThat(run("maintenance", "show")).isZero();
        assertThat(out.toString()).isEqualTo("node s2 may be down for 40 s: disk\n");
        out.getBuffer().setLength(0);
        assertThat(run("maintenance", "show", "--json")).isZero();
        JsonNode lease = new ObjectMapper().readTree(out.toString());
        assertThat(lease.path("nodeId").asText()).isEqualTo("s2");
        assertThat(lease.path("secondsLeft").asInt()).isEqualTo(40);
    }

    @Test
    void drainWaitPrintsRemainingReplicasAndTime() {
        manager.firstNode.add(
                first(NodeState.DRAINING)
                        .setReplicasToGo(2)
                        .setBytesToGo(5 << 20)
                        .setBytesPerSecond(1 << 20)
                        .setSecondsToGo(5)
                        .build());
        manager.firstNode.add(first(NodeState.DRAINING).build());
        assertThat(run("drain", "s1", "--replicas", "--wait")).isZero();
        assertThat(manager.heard)
                .contains(DrainNodeRequest.newBuilder().setNodeId("s1").setReplicas(true).build());
        assertThat(err.toString())
                .isEqualTo("s1: 2 replicas, 5.0 MiB, 1.0 MiB/s, about 5 s to go\n");
    }

    @Test
    void drainWaitFails_whenDrainIsCancelled() {
        manager.firstNode.add(first(NodeState.LEADERSHIP_DRAINED).setLeads(2).build());
        manager.firstNode.add(first(NodeState.NODE_STATE_UNSPECIFIED).setLeads(2).build());
        assertThat(run("drain", "s1", "--wait")).isEqualTo(ExitCode.REFUSED.code());
        assertThat(err.toString())
                .isEqualTo(
                        "s1: 2 led ranges to go\n"
                                + "parterre: node s1 was taken back into use meanwhile\n");
    }

    @Test
    void replaceWaits_untilServerHasLeftTheCluster() {
        manager.firstNode.add(first(NodeState.DECOMMISSIONING).setReplicasToGo(1).build());
        manager.firstNode.add(first(NodeState.DECOMMISSIONING).build());
        manager.firstNode.add(first(NodeState.REMOVED).build());
        assertThat(run("replace", "s1", "--with=s4", "--wait")).isZero();
        assertThat(manager.heard)
                .contains(
                        ReplaceNodeRequest.newBuilder()
                                .setNodeId("s1")
                                .setReplacement("s4")
                                .build());
        assertThat(err.toString())
                .isEqualTo("s1: 1 replica to go\ns1: holds nothing and is about to leave\n");
        assertThat(run("replace", "s1")).isEqualTo(ExitCode.USAGE.code());
        manager.heard.clear();
        assertThat(run("replace", "s1", "--with=s4", "--dry-run", "--wait")).isZero();
        assertThat(manager.heard).as("nothing is waited for").hasSize(1);
    }

    @Test
    void snapshotRunsOnAllServersOneServerOrOneRange() throws Exception {
        FakeNode node = new FakeNode();
        served.add(transport.serve(new HostPort("s1", 1), List.of(node)));
        assertThat(run("snapshot")).isZero();
        assertThat(err.toString()).isEqualTo("s2: not up, skipped\n");
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        headings -> assertThat(headings).startsWith("NODE  RANGE  TO APPLY"),
                        replica ->
                                assertThat(replica)
                                        .matches("s1 +2 +60 -> 0 +48\\.0 MiB -> 32\\.0 MiB +-"));
        assertThat(node.heard).containsExactly(TakeSnapshotRequest.getDefaultInstance());

        node.heard.clear();
        out.getBuffer().setLength(0);
        assertThat(run("snapshot", "2", "--dry-run", "--json")).isZero();
        assertThat(node.heard)
                .containsExactly(
                        TakeSnapshotRequest.newBuilder().addRangeIds(2).setDryRun(true).build());
        JsonNode replica =
                new ObjectMapper().readTree(out.toString()).path("nodes").path(0).path("replicas");
        assertThat(replica.path(0).path("logBytesBefore").asLong()).isEqualTo(48L << 20);

        node.heard.clear();
        node.done = true;
        out.getBuffer().setLength(0);
        assertThat(run("snapshot", "s1")).isZero();
        assertThat(out.toString())
                .contains("all was on disk, and the log is no longer than is kept");

        node.heard.clear();
        assertThat(run("snapshot", "99")).isEqualTo(ExitCode.REFUSED.code());
        assertThat(run("snapshot", "nobody")).isEqualTo(ExitCode.REFUSED.code());
        assertThat(err.toString())
                .contains("range 99 does not exist")
                .contains("'nobody' (expected: the number of a range, or one of [s1, s2])");
        assertThat(node.heard).isEmpty();
    }

    private static final class FakeNode extends NodeServiceGrpc.NodeServiceImplBase {
        private final List<TakeSnapshotRequest> heard = new ArrayList<>();

        /** Whether there is nothing left to do. */
        private volatile boolean done;

        @Override
        public void takeSnapshot(
                TakeSnapshotRequest request, StreamObserver<TakeSnapshotResponse> responses) {
            heard.add(request);
            responses.onNext(
                    TakeSnapshotResponse.newBuilder()
                            .addReplicas(
                                    ReplicaSnapshot.newBuilder()
                                            .setRangeId(2)
                                            .setAppliedIndex(100)
                                            .setFlushedIndexBefore(done ? 100 : 40)
                                            .setFlushedIndex(100)
                                            .setLogBytesBefore((done ? 32L : 48L) << 20)
                                            .setLogBytes(32L << 20))
                            .build());
            responses.onCompleted();
        }
    }
}

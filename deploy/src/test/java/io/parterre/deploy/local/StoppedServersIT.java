package io.parterre.deploy.local;

import static io.parterre.deploy.local.NodesInProcess.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.TableCalls;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.node.RoleName;
import io.parterre.file.DurableFiles;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.DecommissionNodeRequest;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.manager.NodeState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four servers, a manager and a front end in this process; servers stop, return and change. */
@Timeout(240)
class StoppedServersIT {
    @TempDir private Path folder;

    private NodesInProcess nodes;
    private ManagedChannel manager;
    private TableCalls calls;

    @BeforeEach
    void start() throws Exception {
        nodes = new NodesInProcess(folder, 1, 4, 3, OperatorToken.NONE, StoppedServersIT::settings);
        nodes.startAll();
        manager = nodes.connect("m1");
        calls = nodes.awaitTable("Stops");
        await().atMost(PATIENCE).until(this::settled);
    }

    private static List<FlagSetting> settings(RoleName role) {
        List<FlagSetting> flags = new ArrayList<>(ShortTimers.of(role));
        flags.add(new FlagSetting("--set", "stopTimeout", "2m"));
        flags.add(new FlagSetting("--set", "server.stop.permit", "wait"));
        flags.add(new FlagSetting("--set", "server.stop.permitTimeout", "90s"));
        return flags;
    }

    @AfterEach
    void end() {
        if (manager != null) {
            manager.shutdownNow();
            // Without a manager that answers, nobody waits for the permit of a server that stays
            // down.
            nodes.stop("m1");
        }
        nodes.close();
    }

    private AdminServiceGrpc.AdminServiceBlockingStub admin() {
        return AdminServiceGrpc.newBlockingStub(manager).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private List<String> members() {
        return admin().listRanges(ListRangesRequest.getDefaultInstance()).getRangesList().stream()
                .map(RangeStatus::getRange)
                .flatMap(range -> range.getMembersList().stream())
                .distinct()
                .toList();
    }

    /** Whether each range has three healthy members and nothing is under way. */
    private boolean settled() {
        List<RangeStatus> ranges;
        try {
            ranges = admin().listRanges(ListRangesRequest.getDefaultInstance()).getRangesList();
        } catch (StatusRuntimeException starting) {
            return false;
        }
        return !ranges.isEmpty()
                && ranges.stream().allMatch(range -> NodesInProcess.isSettled(range, 3));
    }

    private NodeState state(String name) {
        return admin().listNodes(
                        ListNodesRequest.newBuilder().setNodeId(name).setRemoved(true).build())
                .getNodes(0)
                .getNode()
                .getState();
    }

    private String readiness(String name) throws InterruptedException {
        return NodeProbe.readiness(nodes.node(name));
    }

    @Test
    void serversStopOneAfterAnother_whenAllAreToldToStop() throws Exception {
        List<String> told = members();
        List<String> events = new CopyOnWriteArrayList<>();
        AtomicBoolean done = new AtomicBoolean();
        List<Integer> failed = new CopyOnWriteArrayList<>();
        CompletableFuture<Integer> writer =
                CompletableFuture.supplyAsync(() -> write(done, failed), StoppedServersIT::run);
        CompletableFuture.allOf(
                        told.stream()
                                .map(
                                        name ->
                                                CompletableFuture.runAsync(
                                                        () -> restart(name, events),
                                                        StoppedServersIT::run))
                                .toArray(CompletableFuture[]::new))
                .get(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS);
        await().atMost(PATIENCE)
                .until(
                        () ->
                                !admin().getStatus(GetStatusRequest.getDefaultInstance())
                                        .hasDisruptionLease());
        done.set(true);
        assertThat(writer.get(30, TimeUnit.SECONDS)).isPositive();
        assertThat(failed).isEmpty();
        assertThat(events).hasSize(2 * told.size());
        for (int i = 0; i < events.size(); i += 2) {
            String name = events.get(i).substring("stopped ".length());
            assertThat(events.get(i + 1)).as("%s", events).isEqualTo("started " + name);
        }
        assertThat(nodes.failures).isEmpty();
    }

    private static void run(Runnable task) {
        new Thread(task, "stopped-servers").start();
    }

    private void restart(String name, List<String> events) {
        nodes.stop(name);
        events.add("stopped " + name);
        try {
            nodes.start(name);
        } catch (Exception cause) {
            throw new IllegalStateException(cause);
        }
        events.add("started " + name);
    }

    /** Answers how many rows were written; each call is one that a client would make once. */
    private int write(AtomicBoolean done, List<Integer> failed) {
        int row = 0;
        try {
            for (; !done.get(); row++) {
                int status = calls.insert("Stops", "p", "row-" + row, "x");
                if (status != 201) {
                    failed.add(status);
                }
            }
        } catch (IOException | InterruptedException cause) {
            throw new IllegalStateException(cause);
        }
        return row;
    }

    @Test
    void removedServerReturns_onlyWithEmptyFolder() throws Exception {
        String name = members().get(0);
        assertThat(calls.insert("Stops", "p", "before", "x")).isEqualTo(201);
        decommission(name);
        nodes.stop(name);

        nodes.start(name);
        await().atMost(PATIENCE).until(() -> readiness(name).contains("has left the cluster"));
        assertThat(state(name)).isEqualTo(NodeState.REMOVED);
        nodes.stop(name);

        DurableFiles.removeFolder(nodes.node(name).data());
        nodes.start(name);
        await().atMost(PATIENCE).until(() -> readiness(name).equals(NodeProbe.READY));
        assertThat(state(name)).isEqualTo(NodeState.NODE_STATE_UNSPECIFIED);

        // There are three others only, so it gets the replicas.
        decommission(members().get(0));
        assertThat(members()).contains(name);
        assertThat(calls.read("Stops", "p", "before").statusCode()).isEqualTo(200);
        assertThat(nodes.failures).isEmpty();
    }

    private void decommission(String name) {
        await().atMost(PATIENCE).until(this::settled);
        admin().decommissionNode(DecommissionNodeRequest.newBuilder().setNodeId(name).build());
        await().atMost(PATIENCE).until(() -> state(name) == NodeState.REMOVED);
        await().atMost(PATIENCE).until(this::settled);
    }
}

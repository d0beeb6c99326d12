package io.parterre.deploy.local;

import static io.parterre.deploy.local.NodesInProcess.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.TableCalls;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.PolicySetting;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.admin.SetPolicyRequest;
import io.parterre.testing.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Five servers, a manager and a front end in this process; the policy gets other numbers. */
@Timeout(240)
class ReplicaCountIT {
    @TempDir private Path folder;

    private NodesInProcess nodes;

    @BeforeEach
    void plan() {
        nodes = new NodesInProcess(folder, 1, 5, 1, OperatorToken.NONE, ShortTimers::of);
    }

    @AfterEach
    void end() {
        nodes.close();
    }

    private void setReplicas(int replicas) {
        ManagedChannel channel = nodes.connect("m1");
        try {
            AdminServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(30, TimeUnit.SECONDS)
                    .setPolicy(
                            SetPolicyRequest.newBuilder()
                                    .addSettings(
                                            PolicySetting.newBuilder()
                                                    .setKey("replicas")
                                                    .setValue("" + replicas))
                                    .build());
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void ackedWritesSurvive_whileReplicaCountGrowsAndShrinks() throws Exception {
        nodes.startAll();
        TableCalls calls = nodes.awaitTable("Grown");
        assertThat(awaitMembers(1)).hasSize(1);

        AtomicBoolean done = new AtomicBoolean();
        List<String> acknowledged = new ArrayList<>();
        Thread writer = new Thread(() -> write(calls, done, acknowledged), "writer");
        writer.start();
        try {
            int[] counts = Tier.isLong() ? new int[] {3, 5, 3, 1} : new int[] {3, 5, 1};
            for (int replicas : counts) {
                setReplicas(replicas);
                if (replicas == 5) {
                    // Its settings still say 1, but were only for a new cluster.
                    nodes.stop("m1");
                    nodes.start("m1");
                }
                assertThat(awaitMembers(replicas)).hasSize(replicas);
            }
        } finally {
            done.set(true);
            writer.join();
        }

        assertThat(acknowledged).isNotEmpty();
        for (String row : acknowledged) {
            assertThat(calls.read("Grown", "p", row).statusCode()).as(row).isEqualTo(200);
        }
        assertThat(nodes.failures).isEmpty();
    }

    private static void write(TableCalls calls, AtomicBoolean done, List<String> acknowledged) {
        for (int i = 0; !done.get(); i++) {
            try {
                if (calls.insert("Grown", "p", "row-" + i, "x") == 201) {
                    acknowledged.add("row-" + i);
                }
            } catch (java.io.IOException inDoubt) {
                // Not acknowledged, so nothing is promised of it.
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Waits until every range has so many healthy members and nothing is under way. */
    private List<String> awaitMembers(int count) {
        List<String> members = new ArrayList<>();
        ManagedChannel channel = nodes.connect("m1");
        try {
            await().atMost(PATIENCE)
                    .until(
                            () -> {
                                members.clear();
                                return settled(channel, count, members);
                            });
        } finally {
            channel.shutdownNow();
        }
        return members;
    }

    private static boolean settled(ManagedChannel channel, int count, List<String> members) {
        List<RangeStatus> ranges;
        try {
            ranges =
                    AdminServiceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(5, TimeUnit.SECONDS)
                            .listRanges(ListRangesRequest.getDefaultInstance())
                            .getRangesList();
        } catch (StatusRuntimeException starting) {
            return false;
        }
        for (RangeStatus range : ranges) {
            if (!NodesInProcess.isSettled(range, count)) {
                return false;
            }
            members.addAll(range.getRange().getMembersList());
        }
        return !ranges.isEmpty();
    }
}

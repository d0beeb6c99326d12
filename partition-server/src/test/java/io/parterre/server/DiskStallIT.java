package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.HangingDisk.THREE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.parterre.key.KeyCodec;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.node.FlushRequest;
import io.parterre.proto.node.FlushResponse;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.TakeSnapshotRequest;
import io.parterre.proto.node.TakeSnapshotResponse;
import io.parterre.range.RangeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that hangs and gives no error: what waits for it waits, and nothing else is told. */
@Timeout(240)
final class DiskStallIT {
    @TempDir Path folder;

    /** The one refuses writes, since nobody else has it; of the other leadership goes elsewhere. */
    @Test
    void otherRangesChangeLeader_whenStalledNodeHoldsASoleReplica() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofMinutes(5));
        RangeId child = new RangeId(2);
        try (TestCluster cluster = HangingDisk.start(folder, disk, patience)) {
            ByteString splitPoint = Commands.bytes(KeyCodec.partition(Commands.TABLE, "q"));
            cluster.manager.split(TestCluster.RANGE, 1, splitPoint, child, "node-1");
            TestCluster.await().until(() -> leads(cluster, "node-1", child));
            cluster.manager.withdrawOrders();
            cluster.change(2, List.of("node-1", "node-2"));
            cluster.change(3, List.of("node-1"));
            cluster.client.write(1);

            disk.hangs.set(true);
            Thread writer = new Thread(cluster.client::write);
            writer.start();
            TestCluster.await()
                    .until(
                            () ->
                                    leads(cluster, "node-2", child)
                                            || leads(cluster, "node-3", child));
            assertThat(leads(cluster, "node-1", TestCluster.RANGE)).isTrue();
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.client
                                            .answer("node-1", insert(1_000, "p", "no", ""))
                                            .hasBusy());
            assertThat(cluster.node("node-1").failures).isEmpty();
            disk.works.countDown();
            writer.join();
            cluster.client.write(5);
        }
    }

    /** On a connection's event loop it would hold up every other call of that connection. */
    @Test
    void flushCallReturnsAtOnce_whileDiskHangs() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMinutes(1), Duration.ofMinutes(5));
        String name = "loop-" + UUID.randomUUID();
        try (TestCluster cluster = HangingDisk.start(folder, disk, patience)) {
            Server loop =
                    InProcessServerBuilder.forName(name)
                            .directExecutor()
                            .addService(cluster.node("node-1").server.nodeService())
                            .build()
                            .start();
            ManagedChannel channel = InProcessChannelBuilder.forName(name).directExecutor().build();
            NodeServiceGrpc.NodeServiceFutureStub node = NodeServiceGrpc.newFutureStub(channel);
            disk.hangs.set(true);

            ListenableFuture<FlushResponse> flushed = node.flush(FlushRequest.getDefaultInstance());
            ListenableFuture<TakeSnapshotResponse> taken =
                    node.takeSnapshot(TakeSnapshotRequest.getDefaultInstance());
            assertThat(flushed.isDone() || taken.isDone()).isFalse();

            disk.works.countDown();
            assertThat(flushed.get(1, TimeUnit.MINUTES).getReplicas()).isEqualTo(1);
            assertThat(taken.get(1, TimeUnit.MINUTES).getReplicasList()).hasSize(1);
            channel.shutdownNow();
            loop.shutdownNow();
        }
    }

    /** As with one storage behind all of them: to end would help nobody. */
    @Test
    void nodesStayUpAndRejectWrites_whileAllDisksHang() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofSeconds(6));
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            cluster.withDisk(patience);
            for (String node : THREE) {
                cluster.start(node, disk);
            }
            cluster.client.write(5);
            String leader = cluster.awaitLeader();
            disk.hangs.set(true);
            Thread writer = new Thread(cluster.client::write);
            writer.start();
            TestCluster.await().until(() -> cluster.reports.diskStalled(leader));
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.client
                                            .answer(leader, insert(1_000, "p", "no", ""))
                                            .hasBusy());
            // Longer than a node stays that others could do without. All nodes end after four times
            // as long, which a busy machine must not reach before.
            Awaitility.await()
                    .during(Duration.ofSeconds(7))
                    .until(
                            () ->
                                    THREE.stream()
                                            .allMatch(
                                                    node -> cluster.node(node).failures.isEmpty()));
            disk.works.countDown();
            writer.join();
            cluster.client.write(5);
            cluster.assertSameRows(THREE);
        }
    }

    private static boolean leads(TestCluster cluster, String node, RangeId rangeId) {
        return cluster.reports.replica(node, rangeId).filter(ReplicaReport::getLeading).isPresent();
    }
}

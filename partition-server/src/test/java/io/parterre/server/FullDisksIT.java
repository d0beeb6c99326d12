package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.parterre.disk.DiskSpace;
import io.parterre.error.BusyReason;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.WriteEntities;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes on real disks alike, which fill together. */
@Timeout(400)
final class FullDisksIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final int DISK_MEBIBYTES = 160;
    private static final int LARGE = 400_000;

    /** A compaction of all that is there takes as much again, on a disk as small as this one. */
    private static final DiskSpaceConfig CONFIG = new DiskSpaceConfig(35, 40, 2 << 20);

    /** One to be dropped. */
    private static final Scope FILLER = Scope.ofTable(Commands.ACCOUNT, new ObjectId(77));

    /** Not to be packed, or the disk would not fill. */
    static String noise(long seed) {
        StringBuilder text = new StringBuilder(LARGE);
        new Random(seed).ints(LARGE, 33, 127).forEach(each -> text.append((char) each));
        return text.toString();
    }

    @TempDir Path folder;

    private final List<SmallDisk> disks = new ArrayList<>();

    /** Of another sender than the cluster's own. */
    private final AtomicLong sequences = new AtomicLong();

    @BeforeEach
    void mount() throws Exception {
        for (String node : THREE) {
            Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve(node), DISK_MEBIBYTES);
            assumeTrue(mounted.isPresent(), "needs the right to mount file systems");
            disks.add(mounted.get());
        }
    }

    @AfterEach
    void unmount() throws Exception {
        for (SmallDisk disk : disks) {
            disk.close();
        }
    }

    private TestCluster start() throws Exception {
        TestCluster cluster =
                TestCluster.in(folder).settings(each -> each.withDiskSpace(CONFIG)).founded();
        cluster.withSpaces(node -> SpaceSource.of(cluster.folder(node)));
        for (String node : THREE) {
            cluster.start(node);
        }
        return cluster;
    }

    private RangeResponse fill(TestCluster cluster) throws Exception {
        long sequence = sequences.incrementAndGet();
        return cluster.client.answer(
                cluster.awaitLeader(),
                Command.newBuilder()
                        .setSenderId(Commands.SENDER + 1)
                        .setSequence(sequence)
                        .setWriteEntities(
                                WriteEntities.newBuilder()
                                        .setEntityBytesMax(1 << 20)
                                        .setPropertiesMax(252)
                                        .addOperations(
                                                EntityOperation.newBuilder()
                                                        .setKind(EntityOperation.Kind.INSERT)
                                                        .setKey(
                                                                Commands.bytes(
                                                                        KeyCodec.entity(
                                                                                FILLER,
                                                                                "p",
                                                                                String.format(
                                                                                        "%08d",
                                                                                        sequence))))
                                                        .setBlock(
                                                                ByteString.copyFrom(
                                                                        Commands.block(
                                                                                noise(
                                                                                        sequence)))))));
    }

    /** No faster than nodes look at their disks, which larger ones need not be told. */
    private void fillUntilRefused(TestCluster cluster) throws Exception {
        while (true) {
            DiskSpace before = cluster.reports.diskSpace(cluster.awaitLeader());
            for (int i = 0; i < 8; i++) {
                RangeResponse answer = fill(cluster);
                if (answer.hasBusy()
                        && answer.getBusy().getReason().equals(BusyReason.DISK_SPACE.text())) {
                    return;
                }
            }
            TestCluster.await()
                    .until(() -> !cluster.reports.diskSpace(cluster.awaitLeader()).equals(before));
        }
    }

    private static void assertNobodyEnded(TestCluster cluster) {
        for (RunningServer server : cluster.servers()) {
            assertThat(server.failures).isEmpty();
        }
    }

    @Test
    void writesGoOn_onceDroppedTableOrLargerDiskMakesRoom() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.client.write(5);
            fillUntilRefused(cluster);
            assertNobodyEnded(cluster);
            cluster.client.assertAllThere();

            cluster.client.call(
                    RangeClient.command(
                            Commands.fence(sequences.incrementAndGet(), FILLER)
                                    .setSenderId(Commands.SENDER + 1)));
            TestCluster.await()
                    .until(
                            () -> {
                                // Room comes back with a flush.
                                THREE.forEach(node -> cluster.node(node).flush());
                                return THREE.stream()
                                        .noneMatch(node -> cluster.reports.growthRefused(node));
                            });
            cluster.client.write(5);
            cluster.client.assertAllThere();
            assertNobodyEnded(cluster);

            for (SmallDisk disk : disks) {
                disk.grow(2 * DISK_MEBIBYTES);
            }
            cluster.client.write(5);
            cluster.assertSameRows(THREE);
            assertNobodyEnded(cluster);
        }
    }
}

package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Copies of replicas to a node whose disk has no room for them. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class FullDiskCopyIT extends DiskFaults {
    @Test
    void copyIsRemovedAndTakenLater_whenItFillsReceiversDisk() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("node-1"), 10);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = start(false)) {
            cluster.kill("node-1");
            for (int i = 0; i < 30; i++) {
                cluster.client.put("noise", "" + i, FullDisksIT.noise(i));
            }
            cluster.purgeLog();
            cluster.start("node-1");
            cluster.awaitKnown("node-1");

            Path copies = folder.resolve("node-1").resolve("installs");
            TestCluster.await().until(() -> bytes(copies) > 1 << 20);
            TestCluster.await().until(() -> bytes(copies) == 0);
            cluster.client.write(3);
            cluster.client.assertAllThere();

            disk.grow(200);
            goOnByItself(cluster);
        }
    }

    @Test
    void copyIsPutOff_whileReceiversDiskIsNearlyFull() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("node-1"), 100);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = startWithSpaceOfNode1()) {
            cluster.kill("node-1");
            cluster.purgeLog();
            Path filler = folder.resolve("node-1").resolve("filler");
            SmallDisk.fill(filler, 4 << 20);
            cluster.start("node-1");
            TestCluster.await().until(() -> cluster.reports.growthRefused("node-1"));
            cluster.client.write(3);
            assertThat(bytes(folder.resolve("node-1").resolve("installs"))).isZero();

            Files.delete(filler);
            goOnByItself(cluster);
        }
    }

    private static long bytes(Path under) throws IOException {
        if (!Files.exists(under)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(under)) {
            return all.map(Path::toFile).filter(File::isFile).mapToLong(File::length).sum();
        } catch (UncheckedIOException changing) {
            return -1;
        }
    }
}

package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskSpace;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose disks are as full as the test says. */
@Timeout(240)
final class DiskSpaceIT {
    private static final DiskSpace HALF_USED = usedPercent(50);

    @TempDir Path folder;

    private final AtomicReference<DiskSpace> space = new AtomicReference<>(HALF_USED);

    private static DiskSpace usedPercent(long percent) {
        return new DiskSpace((100 - percent) << 30, 100L << 30);
    }

    /** Nodes 1 to 3, all with disks like this one. */
    private TestCluster start() throws Exception {
        TestCluster cluster = TestCluster.founded(folder, List.of("node-1", "node-2", "node-3"));
        cluster.withSpaces(node -> space::get);
        for (String node : cluster.founders()) {
            cluster.start(node);
        }
        return cluster;
    }

    private static double gauge(TestCluster cluster, String name) {
        return cluster.node("node-1").meters.get(name).gauge().value();
    }

    @Test
    void nodeTellsManagersAndMetricsOfItsSpace_whenThatChanges() throws Exception {
        try (TestCluster cluster = start()) {
            TestCluster.await().until(() -> cluster.manager.diskSpace("node-1").equals(HALF_USED));
            space.set(usedPercent(90));
            TestCluster.await()
                    .until(() -> cluster.manager.diskSpace("node-1").equals(usedPercent(90)));
            assertThat(gauge(cluster, "partition_server_disk_usable_bytes")).isEqualTo(10L << 30);
            assertThat(gauge(cluster, "partition_server_disk_total_bytes")).isEqualTo(100L << 30);
        }
    }

    @Test
    void spaceOfRealFolderIsKnown_whenNothingIsInjected() throws Exception {
        DiskSpace real = SpaceSource.of(folder).look();
        assertThat(real.isKnown()).isTrue();
        assertThat(real.usedPercent()).isBetween(0.0, 100.0);
    }
}

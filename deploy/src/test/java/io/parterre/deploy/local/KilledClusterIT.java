package io.parterre.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A manager, three servers and a front end, each a process; all are killed at once. Three managers
 * that are killed come back in {@link LostManagersIT}.
 */
@Timeout(180)
class KilledClusterIT {
    private static final LocalClusterPlan PLAN =
            new LocalClusterPlan(1, 3, 1, 3, List.of(), Map.of());

    @TempDir private Path folder;

    @Test
    void ackedWritesSurvive_whenAllProcessesAreKilledAtOnce() throws Exception {
        try (ServingCluster serving = ServingCluster.start(folder.resolve("cluster"), PLAN)) {
            LocalCluster cluster = serving.cluster();
            assertThat(serving.through("f1").createTable("Crashes")).isEqualTo(201);
            List<String> acknowledged = serving.insert("Crashes", "first", 30);
            cluster.killAll();
            cluster.startAll();
            cluster.awaitServing(ServingCluster.PATIENCE);
            serving.assertHeld("Crashes", acknowledged);
        }
    }
}

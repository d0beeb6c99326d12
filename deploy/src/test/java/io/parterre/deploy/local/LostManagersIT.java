package io.parterre.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.deploy.node.RoleName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three managers, three servers and a front end, each a process; the managers are lost. */
@Timeout(180)
class LostManagersIT {
    private static final LocalClusterPlan PLAN =
            new LocalClusterPlan(3, 3, 1, 3, List.of(), Map.of());

    @TempDir private Path folder;

    @Test
    void readsAndWritesContinue_whileNoManagerIsUp() throws Exception {
        try (ServingCluster serving = ServingCluster.start(folder.resolve("cluster"), PLAN)) {
            LocalCluster cluster = serving.cluster();
            assertThat(serving.through("f1").createTable("Managers")).isEqualTo(201);
            List<String> managers = serving.names(RoleName.PARTITION_MANAGER);
            String leader = serving.leader(RoleName.PARTITION_MANAGER, "partition_manager_leading");
            cluster.kill(leader);
            // The two others elect one of them.
            List<String> left = managers.stream().filter(name -> !name.equals(leader)).toList();
            await().atMost(ServingCluster.PATIENCE)
                    .until(
                            () ->
                                    left.stream()
                                            .anyMatch(
                                                    name ->
                                                            serving.leads(
                                                                    name,
                                                                    "partition_manager_leading")));
            left.forEach(cluster::kill);
            serving.assertHeld("Managers", serving.insert("Managers", "alone", 20));
            managers.forEach(cluster::start);
            managers.forEach(name -> cluster.awaitReady(name, ServingCluster.PATIENCE));
            assertThat(serving.through("f1").insert("Managers", "p", "last", "x")).isEqualTo(201);
        }
    }
}

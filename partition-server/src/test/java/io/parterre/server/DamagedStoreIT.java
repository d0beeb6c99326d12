package io.parterre.server;

import static io.parterre.server.DamagedCluster.HURT;
import static io.parterre.server.DamagedCluster.TABLE;
import static io.parterre.server.DamagedCluster.flip;
import static io.parterre.server.RangeClient.scan;
import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.server.store.StoreFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose store has turned bad on disk rebuilds it, on the manager's word. */
final class DamagedStoreIT {
    @TempDir Path folder;

    @Test
    void nodeRebuildsItsStore_whenManifestIsCorrupt() throws Exception {
        try (DamagedCluster damaged = DamagedCluster.start(folder)) {
            TestCluster cluster = damaged.nodes;
            cluster.close(HURT);
            flip(damaged.file("rows", "MANIFEST-.*"), 0.5);
            cluster.start(HURT);
            damaged.rebuildNode();
        }
    }

    @Test
    void nodeReturnsNoRowsAndRebuildsStore_whenReadBlockIsCorrupt() throws Exception {
        try (DamagedCluster damaged = DamagedCluster.start(folder)) {
            TestCluster cluster = damaged.nodes;
            cluster.close(HURT);
            // Within the first page.
            flip(damaged.file("rows", ".*\\.sst"), 0.1);
            cluster.start(HURT);
            cluster.lead(HURT, 1);
            List<RangeResponse> answers = new ArrayList<>();
            await().until(
                            () -> {
                                RangeRequest.Builder read = scan(TABLE, 1_000);
                                answers.add(damaged.hurt().client().call(read));
                                return !damaged.hurt().failures.isEmpty();
                            });
            assertThat(answers).noneMatch(RangeResponse::hasScanPage);
            StoreFailure failure = damaged.hurt().failure();
            assertThat(failure.damage()).isPresent();
            cluster.kill(HURT);
            cluster.awaitLeader();
            cluster.client.assertAllThere();

            cluster.start(HURT);
            damaged.rebuildNode();
        }
    }

    @Test
    void nodeKeepsCorruptStore_withoutPermissionToRebuild() throws Exception {
        try (DamagedCluster damaged = DamagedCluster.start(folder)) {
            TestCluster cluster = damaged.nodes;
            cluster.close(HURT);
            Path manifest = damaged.file("rows", "MANIFEST-.*");
            flip(manifest, 0.5);
            byte[] content = Files.readAllBytes(manifest);
            cluster.start(HURT);
            await().until(() -> !cluster.reports.damage(HURT).isEmpty());
            String before = cluster.reports.incarnation(HURT);
            cluster.kill(HURT);
            cluster.start(HURT);
            await().until(() -> cluster.reports.knows(HURT));
            assertThat(cluster.reports.damage(HURT)).isNotEmpty();
            assertThat(cluster.reports.incarnation(HURT)).isEqualTo(before);
            assertThat(manifest).hasBinaryContent(content);
            cluster.client.assertAllThere();
        }
    }
}

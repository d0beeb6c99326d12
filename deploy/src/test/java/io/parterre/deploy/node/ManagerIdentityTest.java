package io.parterre.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.range.NodeId;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagerIdentityTest {
    private static final NodeId FIRST = new NodeId("m1");
    private static final NodeId SECOND = new NodeId("m2");

    @TempDir private Path folder;

    @Test
    void dataFolderIsRejected_whenItBelongsToAnotherManager() throws Exception {
        try (DataFolder data = DataFolder.open(folder)) {
            ManagerIdentity.claim(data, FIRST);
            ManagerIdentity.claim(data, FIRST);
            assertThatThrownBy(() -> ManagerIdentity.claim(data, SECOND))
                    .hasMessageContaining("belongs to partition manager m1 (expected: m2)");
        }
    }

    @Test
    void folderWithoutManagerIdBelongsToEmbeddedManager() throws Exception {
        try (DataFolder data = DataFolder.open(folder)) {
            Files.createDirectory(data.resolve("manager"));
            assertThatThrownBy(() -> ManagerIdentity.claim(data, FIRST))
                    .hasMessageContaining("belongs to partition manager manager");
            ManagerIdentity.claim(data, new NodeId("manager"));
            assertThat(data.resolve("manager-id")).hasContent("manager");
        }
    }
}

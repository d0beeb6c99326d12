package io.parterre.manager.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VouchedFileTest {
    private static final NodeId M2 = new NodeId("m2");
    private static final NodeId M3 = new NodeId("m3");

    @TempDir private Path folder;

    private VouchedFile file() {
        return new VouchedFile(folder);
    }

    @Test
    void bootstrapWithoutIsHonoured_whenSetAfterFolderCreation() throws IOException {
        file().begin(Set.of());
        assertThat(file().inVain(Set.of(M2))).isEmpty();
        assertThat(file().inVain(Set.of(M2))).isEmpty();
    }

    @Test
    void bootstrapWithoutIsIgnored_whenSetBeforeFolderCreation() throws IOException {
        file().begin(Set.of(M2));
        assertThat(file().inVain(Set.of(M2))).containsExactly(M2);
        assertThat(file().inVain(Set.of(M2, M3))).containsExactly(M2);
    }

    @Test
    void bootstrapWithoutIsHonoured_afterItWasRemovedAndSetAgain() throws IOException {
        file().begin(Set.of(M2, M3));
        assertThat(file().inVain(Set.of(M3))).containsExactly(M3);
        assertThat(file().inVain(Set.of(M2, M3))).containsExactly(M3);
        assertThat(file().inVain(Set.of())).isEmpty();
        assertThat(file().inVain(Set.of(M2, M3))).isEmpty();
    }
}

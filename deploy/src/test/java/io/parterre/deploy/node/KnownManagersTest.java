package io.parterre.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownManagersTest {
    @TempDir private Path folder;

    @Test
    void knownManagersKeepLastWrittenList() throws IOException {
        KnownManagers known = new KnownManagers(folder.resolve("known-managers"));
        assertThat(known.read()).isEmpty();
        known.write(List.of("a:1", "b:2"));
        known.write(List.of("b:2", "[::1]:3"));
        assertThat(known.read()).containsExactly("b:2", "[::1]:3");
    }

    @Test
    void knownManagersSkipLine_whenItIsNoAddress() throws IOException {
        Path file = folder.resolve("known-managers");
        Files.writeString(file, "a:1\n\nnonsense\n");
        assertThat(new KnownManagers(file).read()).containsExactly("a:1");
    }
}

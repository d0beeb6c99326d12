package io.parterre.deploy.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.parterre.deploy.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    @TempDir private Path folder;

    @Test
    void makesMarksAndOpensAgain() throws Exception {
        Path data = folder.resolve("a/b");
        DataFolder.open(data).close();
        assertThat(data.resolve("parterre-data")).hasContent("format=1");
        DataFolder.open(data).close();
    }

    @Test
    void takesAnEmptyFolderAndOneWhoseMarkingWasCutShort() throws Exception {
        Files.writeString(folder.resolve("parterre-data.tmp"), "form");
        Files.writeString(folder.resolve("lock"), "");
        DataFolder.open(folder).close();
        assertThat(folder.resolve("parterre-data")).exists();
    }

    @Test
    void leavesAForeignFolderAsItIs() throws Exception {
        Files.writeString(folder.resolve("thesis.txt"), "mine");
        StartException refused = refusal(folder);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.DATA_DIR_REFUSED);
        assertThat(refused).hasMessageContaining("holds other things, as thesis.txt");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve("thesis.txt"));
        }
    }

    @Test
    void refusesANewerFormatAndAMarkerItCannotRead() throws Exception {
        Files.writeString(folder.resolve("parterre-data"), "format=2\n");
        assertThat(refusal(folder))
                .hasMessageContaining("has format 2, written by a newer release");
        Files.writeString(folder.resolve("parterre-data"), "formed=1\n");
        assertThat(refusal(folder)).hasMessageContaining("cannot be understood");
    }

    @Test
    void refusesAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThat(refusal(file)).hasMessageContaining("is a file (expected: a folder)");
    }

    @Test
    void tellsWhoHasTheFolder() throws Exception {
        DataFolder held = DataFolder.open(folder);
        StartException refused = refusal(folder);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.DATA_DIR_IN_USE);
        assertThat(refused)
                .hasMessageContaining(
                        "is in use by another process, pid " + ProcessHandle.current().pid());
        held.close();
    }

    private static StartException refusal(Path path) throws IOException {
        return catchThrowableOfType(StartException.class, () -> DataFolder.open(path));
    }
}

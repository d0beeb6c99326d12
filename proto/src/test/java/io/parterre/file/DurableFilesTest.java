package io.parterre.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DurableFilesTest {
    @TempDir private Path folder;

    @Test
    void fileHasNewContent_whenLongerContentIsReplaced() throws IOException {
        Path file = folder.resolve("standing");
        DurableFiles.replace(file, new byte[] {1, 2, 3});
        DurableFiles.replace(file, new byte[] {4});
        assertThat(file).hasBinaryContent(new byte[] {4});
        assertThat(folder).isDirectoryContaining(each -> each.equals(file));
        assertThat(DurableFiles.unfinished(file)).doesNotExist();
    }

    @Test
    void fileIsReplaced_whenEarlierWriteWasCutShort() throws IOException {
        Path file = folder.resolve("standing");
        Files.write(DurableFiles.unfinished(file), new byte[100]);
        DurableFiles.replace(file, new byte[] {5});
        assertThat(file).hasBinaryContent(new byte[] {5});
    }

    @Test
    void fileKeepsItsContent_whenReplacementCannotBeWritten() throws IOException {
        Path file = folder.resolve("standing");
        DurableFiles.replace(file, new byte[] {1});
        Files.createDirectory(DurableFiles.unfinished(file));
        assertThatIOException().isThrownBy(() -> DurableFiles.replace(file, new byte[] {2}));
        assertThat(file).hasBinaryContent(new byte[] {1});
    }

    @Test
    void folderIsRemovedWithItsContents_orNoneIsThere() throws IOException {
        Path old = folder.resolve("old");
        Files.createDirectories(old.resolve("a/b"));
        Files.writeString(old.resolve("a/b/file"), "text");
        DurableFiles.removeFolder(old);
        assertThat(old).doesNotExist();
        DurableFiles.removeFolder(old);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void folderIsRemoved_whileFilesInItComeAndGo() throws Exception {
        Path old = folder.resolve("old");
        Files.createDirectories(old.resolve("current"));
        for (int i = 0; i < 200; i++) {
            Files.writeString(old.resolve("current/log_" + i), "entry");
        }
        Thread writer =
                new Thread(
                        () -> {
                            try {
                                for (int i = 0; i < 100_000; i++) {
                                    DurableFiles.replace(
                                            old.resolve("current/metadata"), new byte[] {1});
                                }
                            } catch (IOException removed) {
                                // The folder is gone, as it should be.
                            }
                        },
                        "writer");
        writer.start();
        DurableFiles.removeFolder(old);
        writer.join();
        assertThat(old).doesNotExist();
    }
}

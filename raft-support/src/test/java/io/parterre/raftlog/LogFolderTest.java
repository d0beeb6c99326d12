package io.parterre.raftlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogFolderTest {
    /** A segment with one entry, of term 1 and index 0. */
    private static final byte[] SEGMENT =
            HexFormat.of().parseHex("526166744c6f6731" + "02" + "0801" + "4074b1cc");

    @TempDir private Path path;
    private LogFolder folder;

    @BeforeEach
    void open() {
        folder = new LogFolder(path);
    }

    private Path write(String name, byte[] content, int length) throws IOException {
        return Files.write(path.resolve(name), java.util.Arrays.copyOf(content, length));
    }

    @Test
    void repairChangesNothing_whenLogIsMissing() throws IOException {
        assertThat(folder.mend()).isEmpty();
        Path none = path.resolve("none");
        assertThat(new LogFolder(none).mend()).isEmpty();
        assertThatNoException().isThrownBy(new LogFolder(none)::requireWhole);
        assertThat(none).as("it is not made by that").doesNotExist();
    }

    @Test
    void repairTruncatesTornTailOnlyOnce() throws IOException {
        write("log_0-9", SEGMENT, SEGMENT.length);
        Path open = write("log_inprogress_10", SEGMENT, SEGMENT.length - 1);

        assertThat(folder.mend()).isEqualTo(Optional.of(new LogFolder.Cut(open, 8, 6)));
        assertThat(open).hasSize(8);
        assertThat(folder.mend()).isEmpty();
    }

    @Test
    void repairChangesOnlyTheLastWrittenSegment() throws IOException {
        Path closed = write("log_0-9", SEGMENT, SEGMENT.length - 1);
        Path older = write("log_inprogress_9", SEGMENT, SEGMENT.length - 1);
        write("log_inprogress_10", SEGMENT, SEGMENT.length);

        assertThat(folder.mend()).isEmpty();
        assertThat(closed).hasSize(SEGMENT.length - 1);
        assertThat(older).hasSize(SEGMENT.length - 1);
        assertThatExceptionOfType(DamagedLogException.class)
                .isThrownBy(folder::requireWhole)
                .withMessageContaining(closed + " is damaged: the entry at offset 8");
    }

    @Test
    void repairFailsNamingSegment_whenEntryIsCorrupt() throws IOException {
        byte[] damaged = SEGMENT.clone();
        damaged[SEGMENT.length - 1] ^= 1;
        Path open = write("log_inprogress_0", damaged, damaged.length);

        assertThatExceptionOfType(DamagedLogException.class)
                .isThrownBy(folder::mend)
                .withMessageContaining(open + " is damaged: the entry at offset 8");
        assertThat(open).hasBinaryContent(damaged);
    }

    @Test
    void lastIndexComesFromOpenSegmentOrClosedSegmentName() throws IOException {
        assertThat(folder.lastIndex()).isEmpty();
        write("log_3-9", SEGMENT, SEGMENT.length);
        write("log_inprogress_10", SEGMENT, 8);
        assertThat(folder.lastIndex()).hasValue(9);
        write("log_inprogress_10", SEGMENT, SEGMENT.length + 50);
        assertThat(folder.lastIndex()).as("of the entry itself").hasValue(0);
        write("log_inprogress_10", SEGMENT, SEGMENT.length - 1);
        assertThat(folder.lastIndex()).as("it was cut short").hasValue(9);
    }

    @Test
    void truncationSyncSucceeds_forAnyIndex() throws IOException {
        folder.syncCut(0);
        Path segment = write("log_0-9", SEGMENT, SEGMENT.length);
        folder.syncCut(10);
        folder.syncCut(5);
        assertThat(segment).hasBinaryContent(SEGMENT);
        assertThat(folder.closed()).containsExactly(segment);
    }

    @Test
    void truncationSyncFails_whenShortenedSegmentCannotBeOpened() throws IOException {
        Files.createDirectory(path.resolve("log_0-9"));
        folder.syncCut(5);
        assertThatIOException().isThrownBy(() -> folder.syncCut(10));
        assertThatIOException()
                .as("nor can a folder that is gone")
                .isThrownBy(() -> new LogFolder(path.resolve("none")).syncCut(0));
    }
}

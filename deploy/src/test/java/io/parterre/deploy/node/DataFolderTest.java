package io.parterre.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.parterre.deploy.ExitCode;
import io.parterre.release.FeatureLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class DataFolderTest {
    private static final int ABOVE = FeatureLevel.NEWEST.value() + 1;

    @TempDir private Path folder;

    @Test
    void dataFolderIsCreatedMarkedAndReopened() throws Exception {
        Path data = folder.resolve("a/b");
        DataFolder.open(data).close();
        assertThat(data.resolve("parterre-data")).hasContent("format=1");
        DataFolder.open(data).close();
    }

    @Test
    void newDataFolderIsReadableByItsOwnerAlone() throws Exception {
        Path made = folder.resolve("made");
        assertThat(warningsOfOpening(made)).isEmpty();
        assertThat(Files.getPosixFilePermissions(made))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxr-x---", "rwx--x---", "rwx---r--", "rwx-----x"})
    void openWarnsAndKeepsPermissions_whenOthersMayReadDataFolder(String permissions)
            throws Exception {
        Path before = Files.createDirectory(folder.resolve("before"));
        Files.setPosixFilePermissions(before, PosixFilePermissions.fromString(permissions));
        assertThat(warningsOfOpening(before))
                .singleElement()
                .asString()
                .contains("may read the data folder", "chmod 700", "dataDir=" + before);
        assertThat(Files.getPosixFilePermissions(before))
                .isEqualTo(PosixFilePermissions.fromString(permissions));
        Files.setPosixFilePermissions(before, PosixFilePermissions.fromString("rwx------"));
        assertThat(warningsOfOpening(before)).isEmpty();
    }

    /** Of this folder alone: other tests may open theirs meanwhile. */
    private static List<String> warningsOfOpening(Path data) throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(DataFolder.class);
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        logger.addAppender(appender);
        try {
            DataFolder.open(data).close();
        } finally {
            logger.detachAppender(appender);
        }
        return appender.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(data.toString()))
                .toList();
    }

    @Test
    void dataFolderOpens_whenEmptyOrMarkerWriteWasTorn() throws Exception {
        Files.writeString(folder.resolve("parterre-data.tmp"), "form");
        Files.writeString(folder.resolve("lock"), "");
        DataFolder.open(folder).close();
        assertThat(folder.resolve("parterre-data")).exists();
    }

    @Test
    void foreignFolderIsRejectedAndLeftUnchanged() throws Exception {
        Files.writeString(folder.resolve("thesis.txt"), "mine");
        StartException refused = refusal(folder);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.DATA_DIR_REFUSED);
        assertThat(refused).hasMessageContaining("holds other things, as thesis.txt");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve("thesis.txt"));
        }
    }

    @Test
    void dataFolderIsRejected_whenFormatIsNewerOrUnreadable() throws Exception {
        Path marker = folder.resolve("parterre-data");
        Files.writeString(marker, "format=" + ABOVE + "\n");
        StartException newer = refusal(folder);
        assertThat(newer)
                .hasMessageContaining("has format " + ABOVE + ", written by a newer release");
        assertThat(newer.exitCode()).isEqualTo(ExitCode.DATA_DIR_REFUSED);
        assertThat(marker).hasContent("format=" + ABOVE);
        Files.writeString(marker, "format=0\n");
        assertThat(refusal(folder)).hasMessageContaining("cannot be understood");
        Files.write(marker, new byte[] {(byte) 0xFF, 0});
        assertThat(refusal(folder)).hasMessageContaining("cannot be understood");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(marker);
        }
    }

    /** Until then the release before, which reads format 1 alone, can be started again. */
    @Test
    void dataFolderFormatRises_withFeatureLevelAlone() throws Exception {
        Path marker = folder.resolve("parterre-data");
        try (DataFolder data = DataFolder.open(folder)) {
            assertThat(marker).hasContent("format=1");
            data.raise(FeatureLevel.NEWEST);
            data.raise(FeatureLevel.FIRST);
        }
        assertThat(marker).hasContent("format=" + FeatureLevel.NEWEST);
        DataFolder.open(folder).close();
        assertThat(marker).hasContent("format=" + FeatureLevel.NEWEST);
    }

    @Test
    void checkWritesNothingToDataFolder() throws Exception {
        Path none = folder.resolve("a/b");
        DataFolder.check(none);
        assertThat(folder.resolve("a")).doesNotExist();
        DataFolder.check(folder);
        assertThat(folder).isEmptyDirectory();
        DataFolder.open(folder).close();
        DataFolder.check(folder);
        Files.writeString(folder.resolve("parterre-data"), "format=" + ABOVE + "\n");
        assertThat(catchThrowableOfType(StartException.class, () -> DataFolder.check(folder)))
                .hasMessageContaining("has format " + ABOVE);
    }

    @Test
    void newDataFolderIsRemoved_whenStartIsAborted() throws Exception {
        DataFolder made = DataFolder.open(folder.resolve("a/b"));
        Files.createDirectories(made.resolve("server/rows"));
        Files.writeString(made.resolve("server/rows/1"), "x");
        made.giveUp();
        assertThat(folder).isEmptyDirectory();

        DataFolder empty = DataFolder.open(folder);
        empty.giveUp();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void existingDataFolderIsKept_whenStartIsAborted() throws Exception {
        DataFolder.open(folder).close();
        Files.writeString(folder.resolve("kept"), "x");
        DataFolder.open(folder).giveUp();
        assertThat(folder.resolve("kept")).exists();
        assertThat(folder.resolve("parterre-data")).exists();
    }

    @Test
    void dataFolderErrorIsPlainText_whenPathIsUnusable() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        StartException refused = refusal(file.resolve("under"));
        assertThat(refused.exitCode()).isEqualTo(ExitCode.DATA_DIR_REFUSED);
        assertThat(refused).hasMessageNotContaining("Exception");
    }

    @Test
    void dataFolderIsRejected_whenPathIsAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThat(refusal(file)).hasMessageContaining("is a file (expected: a folder)");
    }

    @Test
    void dataFolderErrorNamesPid_whenInUse() throws Exception {
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

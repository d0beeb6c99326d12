package io.parterre.server.quarantine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class QuarantinesTest {
    private static final RangeId RANGE = new RangeId(7);
    private static final RangeId OTHER = new RangeId(8);
    private static final AppliedPosition ENTRY = new AppliedPosition(3, 41);

    @TempDir Path logs;
    private Quarantines quarantines;

    @BeforeEach
    void open() {
        quarantines = new Quarantines(logs, "1.2.3");
    }

    private Path log() {
        return logs.resolve(RANGE.groupId().toString());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(logs)) {
            return all.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void markReadsAsWritten_untilReplicaIsResumed() throws IOException {
        QuarantineMark mark =
                QuarantineMark.of(ENTRY, "1.2.3", new IllegalStateException("two\nlines, and a=b"));
        quarantines.mark(RANGE, mark);
        assertThat(new Quarantines(logs, "9").mark(RANGE)).contains(mark);
        assertThat(mark.damage())
                .isEqualTo(
                        "entry 41 of term 3 could not be applied: IllegalStateException: two"
                                + " lines, and a=b");
        assertThat(quarantines.mark(OTHER)).isEmpty();
        assertThat(files()).containsExactly(RANGE.groupId() + ".quarantine");

        quarantines.unmark(RANGE);
        assertThat(quarantines.mark(RANGE)).isEmpty();
    }

    /** As it is on disks; lines of later releases are skipped. */
    @Test
    void oldestMarkIsRead_withLinesOfLaterReleases() throws IOException {
        Files.writeString(
                logs.resolve(RANGE.groupId() + ".quarantine"),
                "index=41\nterm=3\nrelease=1.0\nreason=Error: why\nlater=5\n");
        assertThat(quarantines.mark(RANGE))
                .contains(new QuarantineMark(ENTRY, "1.0", "Error: why"));
    }

    @Test
    void markIsRefused_withoutItsEntry() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QuarantineMark.decode(RANGE, "reason=why\n"))
                .withMessageContaining("range 7");
    }

    @Test
    void logIsUnderAnotherName_whileItIsHidden() throws IOException {
        Path segments = Files.createDirectories(log().resolve("current"));
        Files.writeString(segments.resolve("log_inprogress_11"), "entries");
        quarantines.hide(RANGE);
        quarantines.hide(RANGE);
        assertThat(log()).doesNotExist();
        assertThat(quarantines.logFolder(RANGE).resolve("current/log_inprogress_11"))
                .hasContent("entries");
        quarantines.show(RANGE);
        quarantines.show(RANGE);
        assertThat(segments.resolve("log_inprogress_11")).hasContent("entries");
        assertThat(quarantines.logFolder(RANGE)).isEqualTo(log());
    }

    @Test
    void nothingIsLeft_whenReplicaIsForgotten() throws IOException {
        Files.createDirectories(log().resolve("current"));
        quarantines.hide(RANGE);
        quarantines.mark(RANGE, new QuarantineMark(ENTRY, "", "why"));
        quarantines.skip(RANGE, Set.of(ENTRY, new AppliedPosition(4, 50)));
        assertThat(quarantines.skipped(RANGE))
                .containsExactlyInAnyOrder(ENTRY, new AppliedPosition(4, 50));
        quarantines.forget(RANGE);
        assertThat(files()).isEmpty();
        assertThat(quarantines.skipped(RANGE)).isEmpty();
    }
}

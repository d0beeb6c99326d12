package io.parterre.server.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one process notes and the next one finds. A process ends here by no longer being used. */
final class ApplyMarksIT {
    private static final RangeId RANGE = new RangeId(7);
    private static final AppliedPosition ENTRY = new AppliedPosition(2, 100, 3);
    private static final ApplyMark MARK = new ApplyMark(RANGE, ENTRY);

    @TempDir Path folder;
    private ApplyMarks marks;
    private CrashLoop found;

    @BeforeEach
    void start() throws IOException {
        marks = new ApplyMarks(folder);
        found = marks.open();
    }

    private ApplyMarks.Slot slot() {
        return marks.slot(RANGE).orElseThrow();
    }

    @Test
    void nextStartFindsEntryBeingApplied_whenProcessEndsEarly() throws IOException {
        ApplyMarks.Slot applied = slot();
        applied.begin(new AppliedPosition(2, 99));
        applied.end();
        slot().begin(ENTRY);
        start();
        assertThat(found.runs()).isEqualTo(List.of(Set.of(MARK)));

        slot().begin(ENTRY);
        start();
        slot().begin(ENTRY);
        start();
        assertThat(found.culprit()).contains(MARK);

        marks.forget();
        ApplyMarks.Slot last = slot();
        last.begin(ENTRY);
        marks.close(false);
        last.close();
        start();
        assertThat(found.runs()).isEqualTo(List.of(Set.of(MARK)));
    }

    @Test
    void nextStartFindsNothing_whenProcessEndsWell() throws IOException {
        slot().begin(ENTRY);
        start();
        slot().begin(ENTRY);
        marks.close(true);
        start();
        assertThat(found).isEqualTo(CrashLoop.NONE);
        marks.close(true);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void nextStartFindsNothing_whenProcessHadSettled() throws IOException {
        slot().begin(ENTRY);
        start();
        marks.settle();
        byte[] settled = Files.readAllBytes(folder.resolve("APPLYING"));
        slot().begin(ENTRY);
        assertThat(folder.resolve("APPLYING"))
                .as("no write once settled")
                .hasBinaryContent(settled);
        start();
        assertThat(found).isEqualTo(CrashLoop.NONE);
    }

    @Test
    void nextStartForgetsRuns_whenTheirFileIsDamaged() throws IOException {
        slot().begin(ENTRY);
        start();
        Files.writeString(folder.resolve("CRASHES"), "damaged");
        slot().begin(ENTRY);
        start();
        assertThat(found.runs()).isEqualTo(List.of(Set.of(MARK)));
    }

    @Test
    void slotIsUsedAgain_whenItsReplicaIsGone() throws IOException {
        for (int i = 0; i < 10_000; i++) {
            ApplyMarks.Slot gone = slot();
            gone.begin(ENTRY);
            gone.close();
            gone.begin(ENTRY);
        }
        Optional<ApplyMarks.Slot> slot = marks.slot(RANGE);
        assertThat(slot).isPresent();
        start();
        assertThat(found.runs()).isEqualTo(List.of(Set.of()));
    }
}

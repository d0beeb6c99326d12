package io.parterre.deploy.exercise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.deploy.exercise.LedgerLine.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerFileTest {
    private static final EntityKey KEY = new EntityKey("p", "r");

    @TempDir private Path folder;
    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("ledger.txt");
    }

    @Test
    void ledgerContinues_whenFileIsOpenedAgain() throws IOException {
        try (LedgerFile first = LedgerFile.open(file)) {
            first.add(new LedgerLine(Kind.SENT, KEY, 1));
            first.add(new LedgerLine(Kind.ACKNOWLEDGED, KEY, 1));
        }
        try (LedgerFile second = LedgerFile.open(file)) {
            assertThat(second.ledger().contradiction(KEY, 0)).isPresent();
            assertThat(second.ledger().nextVersion(KEY)).isEqualTo(2);
            second.add(new LedgerLine(Kind.SENT, KEY, 2));
        }
        assertThat(file).hasContent("SENT p/r 1\nACKNOWLEDGED p/r 1\nSENT p/r 2\n");
    }

    @Test
    void lineIsInFile_beforeItsCallIsSent() throws IOException {
        try (LedgerFile ledger = LedgerFile.open(file)) {
            ledger.add(new LedgerLine(Kind.SENT, KEY, 1));
            assertThat(file).hasContent("SENT p/r 1\n");
        }
    }

    @Test
    void halfLineIsDropped_whenProcessWasKilled() throws IOException {
        Files.writeString(file, "SENT p/r 1\nACKNOWLEDG");
        try (LedgerFile ledger = LedgerFile.open(file)) {
            assertThat(ledger.ledger().contradiction(KEY, 0)).isEmpty();
            ledger.add(new LedgerLine(Kind.ACKNOWLEDGED, KEY, 1));
        }
        assertThat(file).hasContent("SENT p/r 1\nACKNOWLEDGED p/r 1\n");
    }

    @Test
    void openNamesTheLine_whenFileIsNoLedger() throws IOException {
        Files.writeString(file, "SENT p/r 1\nhello\n");
        assertThatThrownBy(() -> LedgerFile.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ledger.txt:2: hello (expected: KIND KEY VERSION)");
    }
}

package io.parterre.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedArchiveTest {
    @TempDir Path folder;

    @Test
    void oldestQuarantineIsDropped_whenTooManyOrDiskIsShort() {
        assertThat(DamagedArchive.dropped(List.of(10L, 10L), 1_000, 20)).isZero();
        assertThat(DamagedArchive.dropped(List.of(1L, 1L, 1L, 1L, 1L, 1L), 1_000, 2)).isEqualTo(2);
        assertThat(DamagedArchive.dropped(List.of(30L, 10L), 0, 20))
                .as("the oldest goes")
                .isEqualTo(1);
        assertThat(DamagedArchive.dropped(List.of(30L, 50L), 60, 100)).isEqualTo(2);
        assertThat(DamagedArchive.dropped(List.of(50L), 60, 100))
                .as("what is rebuilt needs the space more")
                .isEqualTo(1);
        assertThat(DamagedArchive.dropped(List.of(), 0, 100)).isZero();
    }

    private List<String> kept() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("damaged"))) {
            return all.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void quarantineKeepsNewestFour_whenMoreAreAdded() throws IOException {
        DamagedArchive aside = new DamagedArchive(folder.resolve("damaged"));
        aside.take("nothing", List.of(folder.resolve("none")));
        for (int i = 1; i <= 6; i++) {
            Path rows = Files.createDirectories(folder.resolve("rows"));
            Files.writeString(rows.resolve("file"), "content " + i);
            aside.take("store", List.of(rows, folder.resolve("raft")));
            assertThat(rows).doesNotExist();
        }
        assertThat(kept())
                .containsExactly("000003-store", "000004-store", "000005-store", "000006-store");
        assertThat(folder.resolve("damaged/000006-store/rows/file")).hasContent("content 6");
    }
}

package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of docs/sizing.md shows what the launcher does. */
class MemoryTableTest {
    private static final Path DOCUMENT = Path.of("../docs/sizing.md");
    private static final Path SCRIPT = Path.of("src/main/dist/bin/parterre");

    /** What fits beside code, stacks and the like in the smallest process that serves. */
    private static final long LEFT_MIN = 224;

    @TempDir private Path folder;

    /** Of the table; all sizes in MiB, a dash is none. */
    private record Line(
            String command,
            long limit,
            long heap,
            long direct,
            long cache,
            long buffer,
            long left) {
        static Line parse(String row) {
            List<String> cells =
                    Arrays.stream(row.split("\\|")).skip(1).map(String::strip).toList();
            return new Line(
                    cells.get(0).replace("`", "").split(",")[0],
                    number(cells.get(1)),
                    number(cells.get(2)),
                    number(cells.get(3)),
                    number(cells.get(4)),
                    number(cells.get(5)),
                    number(cells.get(6)));
        }

        private static long number(String cell) {
            return cell.equals("-") ? 0 : Long.parseLong(cell);
        }
    }

    private static List<Line> table() throws IOException {
        return Files.readAllLines(DOCUMENT).stream()
                .filter(row -> row.matches("\\| `[a-z-]+`.*( [0-9-]+ \\|){6,7}"))
                .map(Line::parse)
                .toList();
    }

    @Test
    void documentedMemoryIsWhatTheLauncherDerives() throws Exception {
        List<Line> table = table();
        assertThat(table).hasSizeGreaterThan(10);
        for (Line line : table) {
            LauncherScript.Result run =
                    new LauncherScript(folder).limitMebibytes(line.limit()).run(line.command());
            List<String> expected =
                    new ArrayList<>(
                            List.of(
                                    "-Xmx" + line.heap() + "m",
                                    "-XX:MaxDirectMemorySize=" + line.direct() + "m"));
            if (line.cache() > 0) {
                String store = "-Dparterre.default.server.store.";
                expected.add(store + "blockCacheBytes=" + line.cache() + "MiB");
                expected.add(store + "writeBufferBytes=" + line.buffer() + "MiB");
            }
            assertThat(run.lines()).as("%s", line).containsAll(expected);
        }
    }

    @Test
    void doctorIsToldTheDocumentedMemory() throws Exception {
        for (Line line : table()) {
            LauncherScript.Result run =
                    new LauncherScript(folder)
                            .limitMebibytes(line.limit())
                            .run("doctor", "--role", line.command());
            assertThat(run.last("-Dparterre.served.heap="))
                    .as("%s", line)
                    .isEqualTo(line.heap() + "m");
            assertThat(run.last("-Dparterre.served.direct=")).isEqualTo(line.direct() + "m");
        }
    }

    @Test
    void everyLineOfTheLauncherIsDocumented() throws IOException {
        try (Stream<String> script = Files.lines(SCRIPT)) {
            assertThat(script.filter(line -> line.matches(".*(server|manager|end)( +\\d+){5}'?")))
                    .hasSameSizeAs(table());
        }
    }

    @Test
    void whatIsGivenOutLeavesRoom_withinEveryLimit() throws IOException {
        assertThat(table())
                .allSatisfy(
                        line -> {
                            long given = line.heap() + line.direct() + line.cache() + line.buffer();
                            assertThat(line.left())
                                    .isEqualTo(line.limit() - given)
                                    .isGreaterThanOrEqualTo(LEFT_MIN);
                        });
    }
}

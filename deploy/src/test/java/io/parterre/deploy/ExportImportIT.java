package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.deploy.ClusterInProcess.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables go out and come in again through the protocol that clients speak. */
final class ExportImportIT {
    private static final int PARTITIONS = 30;
    private static final int ENTITIES = 3_000;

    @TempDir Path folder;

    private static Answer run(Path connection, String... arguments) {
        String[] all =
                Stream.concat(
                                Stream.of(arguments),
                                Stream.of("--connection-file", connection.toString()))
                        .toArray(String[]::new);
        return ClusterInProcess.command(all);
    }

    private static String all(TableCalls tables, String table) throws Exception {
        // Less than a thousand of them have this value.
        return tables.query(
                        table, "$filter=Value%20eq%20%27v7%27&$select=PartitionKey,RowKey,Value")
                .body();
    }

    @Test
    void importedTableEqualsExportedOne_inEachFormat() throws Exception {
        try (ClusterInProcess cluster = ClusterInProcess.start(folder, 1, 1)) {
            Path connection = cluster.connectionFile();
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < ENTITIES; i++) {
                lines.append("{\"PartitionKey\":\"p")
                        .append(i % PARTITIONS)
                        .append("\",\"RowKey\":\"it's ")
                        .append(i)
                        .append("\",\"Value\":\"v")
                        .append(i % 10)
                        .append("\",\"Big@odata.type\":\"Edm.Int64\",\"Big\":\"")
                        .append(1L << 60)
                        .append("\"}\n");
            }
            Path source = Files.writeString(folder.resolve("source.jsonl"), lines);
            String state = folder.resolve("state").toString();
            Answer imported =
                    run(connection, "import", "one", "--from", source + "", "--checkpoint", state);
            assertThat(imported).as(imported.toString()).matches(answer -> answer.code() == 0);

            for (String format : List.of("jsonl", "csv")) {
                Path out = folder.resolve(format);
                Answer exported =
                        run(connection, "export", "one", "--out", out + "", "--format", format);
                assertThat(exported.out()).contains("exported " + ENTITIES + " entities");
                String table = "back" + format;
                Answer back =
                        run(connection, "import", table, "--from", out + "", "--checkpoint", state);
                assertThat(back.out()).contains("imported " + ENTITIES + " entities");
                assertThat(all(cluster.tables(), table))
                        .isEqualTo(all(cluster.tables(), "one"))
                        .contains("it's 7\"");
                assertThat(cluster.tables().read(table, "p7", "it''s%207").body())
                        .contains("\"" + (1L << 60) + "\"");
            }

            Answer copied =
                    run(
                            connection,
                            "import",
                            "copied",
                            "--from-connection-file",
                            connection + "",
                            "--from-table",
                            "one",
                            "--checkpoint",
                            state);
            assertThat(copied.out()).contains("imported " + ENTITIES + " entities");
            assertThat(all(cluster.tables(), "copied")).isEqualTo(all(cluster.tables(), "one"));
        }
    }

    @Test
    void transferGoesOn_whenItFailedHalfWay() throws Exception {
        try (ClusterInProcess cluster = ClusterInProcess.start(folder, 1, 1)) {
            Path connection = cluster.connectionFile();
            String good = "{\"PartitionKey\":\"p\",\"RowKey\":\"%06d\"}%n";
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < 2_000; i++) {
                lines.append(String.format(good, i));
            }
            Path source = folder.resolve("source.jsonl");
            String state = folder.resolve("state").toString();
            Files.writeString(source, lines + "no entity at all, padded   \n");
            String[] command = {"import", "tries", "--from", source + "", "--checkpoint", state};
            Answer failed = run(connection, command);
            assertThat(failed.code()).isEqualTo(ExitCode.REFUSED.code());
            assertThat(failed.err()).contains("line at byte");

            // Of the same length: what is before it was imported, and is not again.
            Files.writeString(source, lines + " ".repeat("no entity at all, padded   ".length()));
            Answer done = run(connection, command);
            assertThat(done.err()).contains("going on after 2000 entities");
            assertThat(done.code()).isZero();
            assertThat(Files.exists(Path.of(state))).isFalse();
        }
    }

    @Test
    void transferIsRefused_whenTableOrServiceIsWrong() throws Exception {
        Path connection = folder.resolve("nowhere");
        Files.writeString(connection, "AccountName=x");
        Answer answer = run(connection, "export", "tries", "--out", folder.resolve("o").toString());
        assertThat(answer.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(answer.err()).contains("neither SharedAccessSignature nor AccountName");
    }
}

package io.parterre.deploy.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileFormatsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** One property of each type, among them those whose text misleads. */
    private static final String TYPED =
            "{\"PartitionKey\":\"p\",\"RowKey\":\"r,\\\"1\\\"\\n2\",\"Text\":\"\",\"Count\":7,"
                    + "\"Big@odata.type\":\"Edm.Int64\",\"Big\":\"9007199254740993\",\"Flag\":true,"
                    + "\"When@odata.type\":\"Edm.DateTime\",\"When\":\"2020-01-01T00:00:00Z\","
                    + "\"Ratio@odata.type\":\"Edm.Double\",\"Ratio\":\"NaN\"}";

    @TempDir Path folder;

    private static List<ObjectNode> read(Source source) throws IOException {
        List<ObjectNode> entities = new ArrayList<>();
        for (Part part : source.parts()) {
            try (Source.Reader reader = source.open(part)) {
                Chunk chunk;
                do {
                    chunk = reader.next();
                    entities.addAll(chunk.entities());
                } while (chunk.next().isPresent());
            }
        }
        return entities;
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text, UTF_8);
    }

    @Test
    void csvKeepsTypesAndAbsence_whenWrittenAndReadBack() throws IOException {
        ObjectNode typed = (ObjectNode) JSON.readTree(TYPED);
        ObjectNode bare =
                JSON.createObjectNode().put("PartitionKey", "p").put("RowKey", "").put("Else", "x");
        Path lines = folder.resolve("part.jsonl");
        Files.write(
                lines,
                (JSON.writeValueAsString(typed) + "\n" + JSON.writeValueAsString(bare) + "\n")
                        .getBytes(UTF_8));
        Path csv = new ExportFolder(folder).toCsv("t", List.of(lines));

        List<ObjectNode> back = read(new FileSource(List.of(csv)));
        assertThat(back).hasSize(2);
        ObjectNode expected = typed.deepCopy();
        expected.put("Timestamp", "");
        assertThat(back.get(0)).isEqualTo(expected);
        assertThat(back.get(1).fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("PartitionKey", "RowKey", "Timestamp", "Else");
    }

    @Test
    void csvIsRejectedWithItsRow_whenValueIsNotOfItsType() throws IOException {
        Path csv = file("t.csv", "PartitionKey,RowKey,N,N@type\np,r,many,Int32\n");
        assertThatExceptionOfType(TransferException.class)
                .isThrownBy(() -> read(new FileSource(List.of(csv))))
                .withMessageContaining("entity 1");
    }

    @Test
    void linesAreReadOnce_whereverPiecesEnd() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            text.append("{\"PartitionKey\":\"p\",\"RowKey\":\"" + i + "\"}\n");
        }
        Path lines = file("t.jsonl", text.toString().stripTrailing());
        long bytes = Files.size(lines);
        for (long cut = 0; cut <= bytes; cut += 7) {
            List<String> rows = new ArrayList<>();
            for (long[] piece : new long[][] {{0, cut}, {cut, bytes}}) {
                if (piece[0] == piece[1]) {
                    continue;
                }
                try (LineReader reader =
                        new LineReader(lines, Optional.empty(), piece[0], piece[1])) {
                    reader.next().entities().forEach(each -> rows.add(EntityLines.rowKey(each)));
                }
            }
            assertThat(rows).as("cut at %s", cut).hasSize(50).doesNotHaveDuplicates();
        }
    }

    @Test
    void jsonArrayIsRead_aloneOrAsValue() throws IOException {
        Path array = file("a.json", "[" + TYPED + "," + TYPED + "]");
        Path value = file("v.json", "{\"odata.metadata\":\"x\",\"value\":[" + TYPED + "]}");
        assertThat(read(new FileSource(List.of(array, value)))).hasSize(3);
        Path cut = file("c.json", "[" + TYPED + ",");
        assertThatExceptionOfType(TransferException.class)
                .isThrownBy(() -> read(new FileSource(List.of(cut))));
    }

    @Test
    void azCopyManifestNamesItsFiles_orIsRefused() throws IOException {
        Path manifest =
                file(
                        "acc_t.manifest",
                        "{\"Version\":2,\"PayloadFormat\":\"Json\",\"Checksum\":1,"
                                + "\"AccountName\":\"acc\",\"TableName\":\"t\","
                                + "\"TotalDataFiles\":1}");
        assertThatExceptionOfType(TransferException.class)
                .isThrownBy(() -> AzCopyManifest.files(manifest))
                .withMessageContaining("0 data files");
        Path data = file("acc_t_20180528T030611.6482709Z_0_0_6E09EC6E380D8EF0.json", "[]");
        assertThat(AzCopyManifest.files(manifest)).containsExactly(data.toAbsolutePath());
    }

    @Test
    void exportIsRefused_whenNotWholeOrDamaged() throws IOException {
        ExportFolder export = new ExportFolder(folder);
        assertThatExceptionOfType(TransferException.class)
                .isThrownBy(export::files)
                .withMessageContaining("not whole");
        Path lines = file("part-000000.jsonl", TYPED + "\n");
        export.finish("t", 1, List.of(lines));
        assertThat(export.files()).containsExactly(lines);
        Files.writeString(lines, TYPED.replace('7', '8') + "\n");
        assertThatExceptionOfType(TransferException.class).isThrownBy(export::files);
    }

    @Test
    void batchesHoldNoEntityTwice_andAtMostOneHundred() throws IOException {
        List<ObjectNode> entities = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            entities.add(
                    JSON.createObjectNode().put("PartitionKey", "p").put("RowKey", "" + i % 120));
        }
        List<List<ObjectNode>> batches = TableSink.batches(entities);
        assertThat(batches.stream().mapToInt(List::size).sum()).isEqualTo(250);
        assertThat(batches)
                .allSatisfy(
                        batch ->
                                assertThat(batch.stream().map(EntityLines::rowKey))
                                        .hasSizeLessThanOrEqualTo(100)
                                        .doesNotHaveDuplicates());
    }

    @Test
    void connectionStringIsRead_asSdksTakeIt() {
        assertThat(TableEndpoint.parse("AccountName=a;AccountKey=a2V5").base())
                .isEqualTo("https://a.table.core.windows.net");
        assertThat(
                        TableEndpoint.parse(
                                        "TableEndpoint=http://h:1/a/;SharedAccessSignature=?sv=1&sig=x")
                                .credential()
                                .query())
                .isEqualTo("sv=1&sig=x");
        assertThat(TableEndpoint.parse("UseDevelopmentStorage=true").path())
                .isEqualTo("/devstoreaccount1");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> TableEndpoint.parse("AccountName=a"))
                .withMessageContaining("neither");
    }
}

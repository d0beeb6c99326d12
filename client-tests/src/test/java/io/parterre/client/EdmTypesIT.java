package io.parterre.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of all eight types come back as they went in: same type, same bits. */
class EdmTypesIT {
    private static final TableClient TABLE = Sdk.freshTable();

    static Stream<Object> values() {
        return Stream.of(
                0,
                -1,
                Integer.MAX_VALUE,
                Integer.MIN_VALUE,
                0L,
                1L,
                Integer.MAX_VALUE + 1L,
                (1L << 53) + 1,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                0.0,
                5.0,
                -2.0,
                0.1,
                1.0 / 3,
                1e20,
                9_007_199_254_740_992.0,
                Double.MAX_VALUE,
                Double.MIN_VALUE,
                -1.5e-300,
                true,
                false,
                "",
                "plain",
                " spaces at both ends ",
                "it's \"quoted\" \\ and / escaped",
                "line\nfeed\ttab\r\nreturn",
                "Grüße, 東京, שלום, مرحبا",
                "emoji \uD83E\uDD84 and flag \uD83C\uDDE8\uD83C\uDDED",
                "\uFEFF byte order mark, \u2028 separator, \uFFFF last of the plane",
                "true",
                "2021-05-26T15:48:24Z",
                "NaN",
                "c9da6455-213d-42c9-9a79-3e9149a57833",
                OffsetDateTime.parse("2021-05-26T15:48:24.2507202Z"),
                OffsetDateTime.parse("2014-08-22T00:50:32Z"),
                OffsetDateTime.parse("2012-11-10T03:04:05.2Z"),
                OffsetDateTime.parse("1601-01-01T00:00:00Z"),
                OffsetDateTime.parse("9999-12-31T23:59:59.9999999Z"),
                UUID.fromString("c9da6455-213d-42c9-9a79-3e9149a57833"),
                new UUID(0, 0),
                new UUID(-1, -1),
                new byte[0],
                new byte[] {0},
                new byte[] {0, -1, 127, -128},
                "\uD83E\uDD84".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("values")
    void storedValueIsReturnedUnchanged_forEveryEdmType(Object value) {
        String row = UUID.randomUUID().toString();
        TABLE.createEntity(new TableEntity("single", row).addProperty("Value", value));

        assertValue(row, value);
    }

    @Test
    void storedValueIsReturnedUnchanged_whenInsertedByBatch() {
        List<Object> values = values().toList();
        List<TableTransactionAction> actions =
                values.stream()
                        .map(
                                value ->
                                        new TableTransactionAction(
                                                TableTransactionActionType.CREATE,
                                                new TableEntity(
                                                                "batch",
                                                                UUID.randomUUID().toString())
                                                        .addProperty("Value", value)))
                        .toList();

        TABLE.submitTransaction(actions);

        for (int i = 0; i < values.size(); i++) {
            TableEntity entity = actions.get(i).getEntity();
            assertThat(TABLE.getEntity("batch", entity.getRowKey()).getProperty("Value"))
                    .isEqualTo(values.get(i));
        }
    }

    /** The SDK writes these as text; only the annotation makes them numbers. */
    @ParameterizedTest
    @MethodSource("specialDoubles")
    void storedValueIsReturnedUnchanged_forNanAndInfinity(double value) {
        String row = UUID.randomUUID().toString();
        TABLE.createEntity(
                new TableEntity("single", row)
                        .addProperty("Value", value)
                        .addProperty("Value@odata.type", "Edm.Double"));

        assertValue(row, value);
    }

    static Stream<Double> specialDoubles() {
        return Stream.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
    }

    @Test
    void binaryOf64KiBIsReturnedUnchanged() {
        byte[] all = new byte[64 << 10];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) (i ^ (i >> 8));
        }
        TABLE.createEntity(new TableEntity("large", "binary").addProperty("Value", all));

        assertThat((byte[]) TABLE.getEntity("large", "binary").getProperty("Value")).isEqualTo(all);
    }

    @Test
    void stringOf32768CharactersIsReturnedUnchanged() {
        String text = "aé東".repeat(10_000) + "\uD83E\uDD84".repeat(1_384);
        assertThat(text).hasSize(32_768);
        TABLE.createEntity(new TableEntity("large", "string").addProperty("Value", text));

        assertThat(TABLE.getEntity("large", "string").getProperty("Value")).isEqualTo(text);
    }

    @Test
    void nullPropertyIsNotStored() {
        TABLE.createEntity(
                new TableEntity("names", "null").addProperty("None", null).addProperty("One", 1));

        assertThat(Sdk.ownProperties(TABLE.getEntity("names", "null"))).isEqualTo(Map.of("One", 1));
    }

    @Test
    void propertyNamesAreCaseSensitive() {
        TABLE.createEntity(
                new TableEntity("names", "case")
                        .addProperty("name", 1)
                        .addProperty("Name", "2")
                        .addProperty("NAME", 3L)
                        .addProperty("größe_東京", true)
                        .addProperty("_", 0.5));

        assertThat(Sdk.ownProperties(TABLE.getEntity("names", "case")))
                .isEqualTo(Map.of("name", 1, "Name", "2", "NAME", 3L, "größe_東京", true, "_", 0.5));
    }

    @Test
    void propertyMayChangeType_whenUpdated() {
        TABLE.createEntity(new TableEntity("names", "type").addProperty("V", 1));

        TABLE.updateEntity(
                new TableEntity("names", "type").addProperty("V", "one"),
                TableEntityUpdateMode.MERGE);
        assertThat(TABLE.getEntity("names", "type").getProperty("V")).isEqualTo("one");

        TABLE.updateEntity(
                new TableEntity("names", "type").addProperty("V", 1.0),
                TableEntityUpdateMode.REPLACE);
        assertThat(TABLE.getEntity("names", "type").getProperty("V")).isEqualTo(1.0);
    }

    private static void assertValue(String row, Object value) {
        assertThat(TABLE.getEntity("single", row).getProperty("Value")).isEqualTo(value);
        assertThat(Sdk.query(TABLE, "PartitionKey eq 'single' and RowKey eq '" + row + "'"))
                .singleElement()
                .extracting(entity -> entity.getProperty("Value"))
                .isEqualTo(value);
    }
}

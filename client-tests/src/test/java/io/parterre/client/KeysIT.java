package io.parterre.client;

import static io.parterre.client.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of any characters the service allows, in the order in which it keeps them. */
class KeysIT {
    private final TableClient table = Sdk.freshTable();

    static Stream<String> keys() {
        return Stream.of(
                "",
                " ",
                "a b",
                " leading and trailing ",
                "O'Brien",
                "''",
                "'",
                "\"double\"",
                "100%",
                "%20",
                "a%20b",
                "%2F%27",
                "a+b",
                "a&b=c;d,e",
                "(PartitionKey='x',RowKey='y')",
                "$batch",
                "user@example.com",
                "~!*:[]{}|^`<>",
                "Grüße",
                "東京",
                "\uD83E\uDD84",
                "e\u0301 and \u00E9",
                "\u202Eright to left",
                "k".repeat(1_023));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void entityIsReadUpdatedAndDeleted_byAnyLegalKey(String key) {
        table.createEntity(new TableEntity(key, key).addProperty("N", 1));
        table.createEntity(new TableEntity(key, key + "x").addProperty("N", 0));

        TableEntity read = table.getEntity(key, key);
        assertThat(read.getPartitionKey()).isEqualTo(key);
        assertThat(read.getRowKey()).isEqualTo(key);
        read.addProperty("N", 2);
        table.updateEntityWithResponse(read, TableEntityUpdateMode.MERGE, true, null, null);
        table.upsertEntity(new TableEntity(key, key).addProperty("M", 3));

        List<TableEntity> found =
                Sdk.query(
                        table, "PartitionKey eq " + quoted(key) + " and RowKey eq " + quoted(key));

        assertThat(found).hasSize(1);
        assertThat(found.get(0).getRowKey()).isEqualTo(key);
        assertThat(found.get(0).getProperty("N")).isEqualTo(2);
        assertThat(found.get(0).getProperty("M")).isEqualTo(3);
        table.deleteEntity(key, key);
        assertThat(Sdk.rowKeys(Sdk.query(table, null))).containsExactly(key + "x");
    }

    @ParameterizedTest
    @MethodSource("keys")
    void batchChangesEntity_withAnyLegalKey(String key) {
        TableEntity entity = new TableEntity(key, key).addProperty("N", 1);
        table.submitTransaction(
                List.of(new TableTransactionAction(TableTransactionActionType.CREATE, entity)));
        table.submitTransaction(
                List.of(
                        new TableTransactionAction(
                                TableTransactionActionType.UPDATE_MERGE,
                                new TableEntity(key, key).addProperty("N", 2))));

        assertThat(table.getEntity(key, key).getProperty("N")).isEqualTo(2);

        table.submitTransaction(
                List.of(new TableTransactionAction(TableTransactionActionType.DELETE, entity)));
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a\\b", "a#b", "a?b", "a\tb", "a\nb", "a\u0000b", "a\u007Fb"})
    void insertIsRejected_whenKeyHasForbiddenCharacter(String key) {
        assertRefused(
                400,
                TableErrorCode.OUT_OF_RANGE_INPUT,
                () -> table.createEntity(new TableEntity(key, "r")));
        assertRefused(
                400,
                TableErrorCode.OUT_OF_RANGE_INPUT,
                () -> table.createEntity(new TableEntity("p", key)));
    }

    @Test
    void keyOf1024CharactersIsAccepted() {
        String key = "東".repeat(1_024);
        table.createEntity(new TableEntity(key, key));

        assertThat(table.getEntity(key, key).getRowKey()).isEqualTo(key);
        assertThat(Sdk.query(table, "RowKey eq '" + key + "'")).hasSize(1);
    }

    @Test
    void insertIsRejected_whenKeyExceeds1024Characters() {
        String key = "k".repeat(1_025);

        assertRefused(
                400,
                TableErrorCode.PROPERTY_VALUE_TOO_LARGE,
                () -> table.createEntity(new TableEntity(key, "r")));
        assertRefused(
                400,
                TableErrorCode.PROPERTY_VALUE_TOO_LARGE,
                () -> table.createEntity(new TableEntity("p", key)));
    }

    @Test
    void entityKeysAreCaseSensitive() {
        table.createEntity(new TableEntity("p", "r").addProperty("N", 1));
        table.createEntity(new TableEntity("P", "r").addProperty("N", 2));
        table.createEntity(new TableEntity("p", "R").addProperty("N", 3));

        assertThat(table.getEntity("p", "r").getProperty("N")).isEqualTo(1);
        assertThat(table.getEntity("P", "r").getProperty("N")).isEqualTo(2);
        assertThat(table.getEntity("p", "R").getProperty("N")).isEqualTo(3);
    }

    @Test
    void queryReturnsEntitiesInUtf16KeyOrder() {
        List<String> ordered =
                List.of(
                        "",
                        " ",
                        "!",
                        "-",
                        "0",
                        "1",
                        "10",
                        "11",
                        "2",
                        "A",
                        "B",
                        "Z",
                        "a",
                        "a!",
                        "aa",
                        "b",
                        "é",
                        "東",
                        "\uD83E\uDD84",
                        "\uE000",
                        "\uFFFD");
        // Inserted in another order; 8 and 21 have no common factor.
        for (int i = 0; i < ordered.size(); i++) {
            String key = ordered.get(i * 8 % ordered.size());
            table.createEntity(new TableEntity("rows", key));
            table.createEntity(new TableEntity(key + "~", "row"));
        }

        assertThat(Sdk.rowKeys(Sdk.query(table, "PartitionKey eq 'rows'")))
                .containsExactlyElementsOf(ordered);
        assertThat(Sdk.query(table, "RowKey eq 'row'").stream().map(TableEntity::getPartitionKey))
                .containsExactlyElementsOf(
                        ordered.stream().map(key -> key + "~").sorted().toList());
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}

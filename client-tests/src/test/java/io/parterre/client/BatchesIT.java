package io.parterre.client;

import static com.azure.data.tables.models.TableTransactionActionType.CREATE;
import static com.azure.data.tables.models.TableTransactionActionType.DELETE;
import static com.azure.data.tables.models.TableTransactionActionType.UPDATE_MERGE;
import static com.azure.data.tables.models.TableTransactionActionType.UPDATE_REPLACE;
import static com.azure.data.tables.models.TableTransactionActionType.UPSERT_MERGE;
import static com.azure.data.tables.models.TableTransactionActionType.UPSERT_REPLACE;
import static io.parterre.client.Refusals.assertBatchRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionResponse;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Entity group transactions: all of it or none of it, and word of what was wrong with which part.
 */
class BatchesIT {
    private final TableClient table = Sdk.freshTable();

    @Test
    void batchApplies100OperationsOfAllKinds() {
        List<TableTransactionActionType> kinds =
                List.of(CREATE, UPSERT_MERGE, UPSERT_REPLACE, UPDATE_MERGE, UPDATE_REPLACE, DELETE);
        List<TableTransactionAction> actions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            TableTransactionActionType kind = kinds.get(i % kinds.size());
            // Upserts find an entity every other time.
            boolean existing = kind != CREATE && (!isUpsert(kind) || i % 4 < 2);
            if (existing) {
                table.createEntity(entity(i).addProperty("Old", i));
            }
            actions.add(new TableTransactionAction(kind, entity(i).addProperty("New", -i)));
        }

        List<TableTransactionActionResponse> responses =
                table.submitTransaction(actions).getTransactionActionResponses();

        assertThat(responses).hasSize(100).allMatch(response -> response.getStatusCode() == 204);
        Map<String, TableEntity> stored =
                Sdk.query(table, "PartitionKey eq 'p'").stream()
                        .collect(Collectors.toMap(TableEntity::getRowKey, e -> e));
        for (int i = 0; i < 100; i++) {
            TableTransactionActionType kind = kinds.get(i % kinds.size());
            TableEntity found = stored.remove(row(i));
            if (kind == DELETE) {
                assertThat(found).as(row(i)).isNull();
                continue;
            }
            boolean keptOld = kind == UPDATE_MERGE || (kind == UPSERT_MERGE && i % 4 < 2);
            assertThat(Sdk.ownProperties(found))
                    .as(row(i) + " " + kind)
                    .isEqualTo(keptOld ? Map.of("Old", i, "New", -i) : Map.of("New", -i));
        }
        assertThat(stored).isEmpty();
    }

    @Test
    void batchAppliesNothing_whenOneOperationFails() {
        table.createEntity(entity(57).addProperty("Old", 57));
        List<TableTransactionAction> actions = creates(0, 100);

        assertBatchRefused(
                57, TableErrorCode.ENTITY_ALREADY_EXISTS, () -> table.submitTransaction(actions));

        List<TableEntity> stored = Sdk.query(table, null);
        assertThat(Sdk.rowKeys(stored)).containsExactly(row(57));
        assertThat(stored.get(0).getProperty("Old")).isEqualTo(57);
    }

    @Test
    void batchErrorNamesOperation_whenEntityIsNotFound() {
        List<TableTransactionAction> actions = new ArrayList<>(creates(0, 3));
        actions.add(new TableTransactionAction(UPDATE_MERGE, entity(3)));

        assertBatchRefused(
                3, TableErrorCode.RESOURCE_NOT_FOUND, () -> table.submitTransaction(actions));
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void batchErrorNamesOperation_whenETagIsStale() {
        table.createEntity(entity(0));
        TableEntity old = table.getEntity("p", row(0));
        table.upsertEntity(entity(0).addProperty("N", 1));
        List<TableTransactionAction> actions = new ArrayList<>(creates(1, 3));
        actions.add(new TableTransactionAction(UPDATE_REPLACE, old, true));

        assertBatchRefused(
                2,
                TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
                () -> table.submitTransaction(actions));
        assertThat(Sdk.rowKeys(Sdk.query(table, null))).containsExactly(row(0));

        TableEntity latest = table.getEntity("p", row(0)).addProperty("N", 2);
        table.submitTransaction(List.of(new TableTransactionAction(UPDATE_REPLACE, latest, true)));
        assertThat(table.getEntity("p", row(0)).getProperty("N")).isEqualTo(2);
    }

    @Test
    void batchDeleteIsRejected_whenETagIsStale() {
        table.createEntity(entity(0));
        TableEntity old = table.getEntity("p", row(0));
        table.upsertEntity(entity(0).addProperty("N", 1));

        assertBatchRefused(
                1,
                TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
                () ->
                        table.submitTransaction(
                                List.of(
                                        new TableTransactionAction(CREATE, entity(1)),
                                        new TableTransactionAction(DELETE, old, true))));

        TableEntity latest = table.getEntity("p", row(0));
        table.submitTransaction(List.of(new TableTransactionAction(DELETE, latest, true)));
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void batchIsRejected_whenEntityAppearsTwice() {
        assertBatchRefused(
                2,
                TableErrorCode.INVALID_DUPLICATE_ROW,
                () ->
                        table.submitTransaction(
                                List.of(
                                        new TableTransactionAction(CREATE, entity(0)),
                                        new TableTransactionAction(CREATE, entity(1)),
                                        new TableTransactionAction(UPSERT_MERGE, entity(0)))));
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void batchIsRejected_whenItSpansTwoPartitions() {
        assertBatchRefused(
                1,
                TableErrorCode.COMMANDS_IN_BATCH_ACT_ON_DIFFERENT_PARTITIONS,
                () ->
                        table.submitTransaction(
                                List.of(
                                        new TableTransactionAction(CREATE, entity(0)),
                                        new TableTransactionAction(
                                                CREATE, new TableEntity("q", "r")))));
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void batchIsRejected_whenItHasOver100Operations() {
        assertBatchRefused(
                99, TableErrorCode.INVALID_INPUT, () -> table.submitTransaction(creates(0, 101)));
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void batchIsRejected_whenOneEntityIsInvalid() {
        List<TableTransactionAction> actions = new ArrayList<>(creates(0, 5));
        actions.add(
                new TableTransactionAction(CREATE, entity(5).addProperty("S", "s".repeat(32_769))));

        assertBatchRefused(
                5, TableErrorCode.PROPERTY_VALUE_TOO_LARGE, () -> table.submitTransaction(actions));
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void batchIsRejected_whenTableIsMissing() {
        TableClient missing = Sdk.service().getTableClient(Sdk.freshName());

        assertBatchRefused(
                0, TableErrorCode.TABLE_NOT_FOUND, () -> missing.submitTransaction(creates(0, 2)));
    }

    @Test
    void batchIsAccepted_whenJustUnder4MiB() {
        // 63 KiB of text each, 3.9 MiB in all.
        List<TableTransactionAction> actions =
                IntStream.range(0, 63)
                        .mapToObj(
                                i ->
                                        new TableTransactionAction(
                                                CREATE,
                                                entity(i)
                                                        .addProperty("A", "a".repeat(32_000))
                                                        .addProperty("B", "b".repeat(32_000))))
                        .toList();

        table.submitTransaction(actions);

        assertThat(Sdk.query(table, null)).hasSize(63);
    }

    @Test
    void batchIsRejected_whenOver4MiB() {
        List<TableTransactionAction> actions =
                IntStream.range(0, 70)
                        .mapToObj(
                                i ->
                                        new TableTransactionAction(
                                                CREATE,
                                                entity(i)
                                                        .addProperty("A", "a".repeat(32_000))
                                                        .addProperty("B", "b".repeat(32_000))))
                        .toList();

        TableServiceException refusal =
                catchThrowableOfType(
                        TableServiceException.class, () -> table.submitTransaction(actions));

        assertThat(refusal.getResponse().getStatusCode()).isEqualTo(413);
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    private static boolean isUpsert(TableTransactionActionType kind) {
        return kind == UPSERT_MERGE || kind == UPSERT_REPLACE;
    }

    private static List<TableTransactionAction> creates(int start, int endExclusive) {
        return IntStream.range(start, endExclusive)
                .mapToObj(i -> new TableTransactionAction(CREATE, entity(i)))
                .toList();
    }

    private static TableEntity entity(int number) {
        return new TableEntity("p", row(number));
    }

    private static String row(int number) {
        return String.format(Locale.ROOT, "%03d", number);
    }
}

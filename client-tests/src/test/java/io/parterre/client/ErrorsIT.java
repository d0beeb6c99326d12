package io.parterre.client;

import static com.azure.data.tables.models.TableEntityUpdateMode.REPLACE;
import static com.azure.data.tables.models.TableTransactionActionType.CREATE;
import static com.azure.data.tables.models.TableTransactionActionType.DELETE;
import static com.azure.data.tables.models.TableTransactionActionType.UPDATE_MERGE;
import static com.azure.data.tables.models.TableTransactionActionType.UPDATE_REPLACE;
import static com.azure.data.tables.models.TableTransactionActionType.UPSERT_REPLACE;
import static io.parterre.client.Refusals.assertBatchRefused;
import static io.parterre.client.Refusals.assertListRefused;
import static io.parterre.client.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which exception an application gets to catch, and what it can ask of it. */
class ErrorsIT {
    private final TableServiceClient service = Sdk.service();
    private final TableClient table = Sdk.freshTable();
    private final TableClient missing = service.getTableClient(Sdk.freshName());

    @BeforeEach
    void insert() {
        table.createEntity(stored());
    }

    @AfterEach
    void nothingElseWasWritten() {
        assertThat(Signatures.numbersIn(table)).containsExactly(1);
    }

    @Test
    void tableErrorsCarryStatusAndCode() {
        assertRefused(409, TableErrorCode.TABLE_ALREADY_EXISTS, table::createTable);
        assertRefused(404, TableErrorCode.TABLE_NOT_FOUND, () -> missing.createEntity(stored()));
        assertListRefused(404, TableErrorCode.TABLE_NOT_FOUND, () -> Sdk.query(missing, null));
        missing.deleteEntity("p", "r");
        missing.deleteTable();
    }

    @Test
    void entityErrorsCarryStatusAndCode() {
        assertRefused(
                409, TableErrorCode.ENTITY_ALREADY_EXISTS, () -> table.createEntity(stored()));
        assertRefused(404, TableErrorCode.RESOURCE_NOT_FOUND, () -> table.getEntity("p", "x"));
        assertRefused(404, TableErrorCode.RESOURCE_NOT_FOUND, () -> table.updateEntity(entity()));
        assertRefused(
                404,
                TableErrorCode.RESOURCE_NOT_FOUND,
                () -> table.updateEntity(entity(), REPLACE));
        table.deleteEntity("p", "x");
    }

    @Test
    void staleETagErrorsCarryStatusAndCode() {
        TableEntity old = old();

        assertRefused(
                412,
                TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
                () -> table.updateEntityWithResponse(old, REPLACE, true, null, null));
        assertRefused(
                412,
                TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
                () -> table.deleteEntityWithResponse(old, true, null, null));
    }

    @Test
    void filterErrorsCarryStatusAndCode() {
        assertListRefused(400, TableErrorCode.INVALID_INPUT, () -> Sdk.query(table, "N eq eq"));
        assertListRefused(
                501, TableErrorCode.NOT_IMPLEMENTED, () -> Sdk.query(table, "startswith(S,'a')"));
    }

    @Test
    void propertyAndKeyErrorsCarryStatusAndCode() {
        assertRefused(
                400,
                TableErrorCode.PROPERTY_NAME_INVALID,
                () -> table.createEntity(entity().addProperty("a-b", 1)));
        assertRefused(
                400,
                TableErrorCode.PROPERTY_VALUE_TOO_LARGE,
                () -> table.createEntity(new TableEntity("p", "x".repeat(1_025))));
        assertRefused(
                400,
                TableErrorCode.OUT_OF_RANGE_INPUT,
                () -> table.createEntity(new TableEntity("p", "a/b")));
        assertRefused(
                400,
                TableErrorCode.OUT_OF_RANGE_INPUT,
                () -> table.upsertEntity(new TableEntity("p", "a\nb")));
        assertRefused(400, TableErrorCode.ENTITY_TOO_LARGE, () -> table.createEntity(large()));
    }

    @Test
    void errorMessageCarriesRequestId() {
        TableServiceException refusal =
                catchThrowableOfType(TableServiceException.class, () -> table.getEntity("p", "x"));

        String requestId = refusal.getResponse().getHeaderValue("x-ms-request-id");
        assertThat(refusal.getValue().getErrorMessage())
                .startsWith("The specified resource does not exist.\nRequestId:" + requestId);
    }

    @Test
    void batchErrorCarriesCodeAndFailedIndex() {
        assertBatchRefused(
                1,
                TableErrorCode.ENTITY_ALREADY_EXISTS,
                () -> submit(action(CREATE, entity()), action(CREATE, stored())));
        assertBatchRefused(
                1,
                TableErrorCode.RESOURCE_NOT_FOUND,
                () -> submit(action(UPSERT_REPLACE, stored()), action(UPDATE_MERGE, entity())));
        assertBatchRefused(
                2,
                TableErrorCode.INVALID_DUPLICATE_ROW,
                () ->
                        submit(
                                action(CREATE, entity()),
                                action(UPSERT_REPLACE, stored()),
                                action(DELETE, entity())));
        assertBatchRefused(
                1,
                TableErrorCode.PROPERTY_NAME_INVALID,
                () ->
                        submit(
                                action(UPSERT_REPLACE, stored()),
                                action(CREATE, entity().addProperty("a-b", 1))));
        assertBatchRefused(
                0,
                TableErrorCode.ENTITY_TOO_LARGE,
                () -> submit(action(CREATE, large()), action(UPSERT_REPLACE, stored())));
        TableTransactionAction stale = new TableTransactionAction(UPDATE_REPLACE, old(), true);
        assertBatchRefused(
                1,
                TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
                () -> submit(action(CREATE, entity()), stale));
    }

    private void submit(TableTransactionAction... actions) {
        table.submitTransaction(List.of(actions));
    }

    /** The stored entity as it was before somebody wrote it again. */
    private TableEntity old() {
        TableEntity read = table.getEntity("p", "r");
        table.upsertEntity(stored());
        return read;
    }

    private static TableEntity stored() {
        return new TableEntity("p", "r").addProperty("N", 1);
    }

    private static TableEntity entity() {
        return new TableEntity("p", "x");
    }

    private static TableEntity large() {
        TableEntity entity = entity();
        for (int i = 0; i < 17; i++) {
            entity.addProperty("P" + i, "x".repeat(32_000));
        }
        return entity;
    }

    private static TableTransactionAction action(
            TableTransactionActionType type, TableEntity entity) {
        return new TableTransactionAction(type, entity);
    }
}

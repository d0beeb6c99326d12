package io.parterre.client;

import static com.azure.data.tables.models.TableEntityUpdateMode.MERGE;
import static com.azure.data.tables.models.TableEntityUpdateMode.REPLACE;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.Optional;
import java.util.function.Consumer;

/** What can be done to a table that holds {@link #stored} alone. */
enum EntityOperation {
    READ("r", table -> table.getEntity("p", "stored"), null),
    QUERY("r", table -> Sdk.query(table, "N ge 0"), null),
    INSERT("a", table -> table.createEntity(fresh()), TableTransactionActionType.CREATE),
    UPDATE_MERGE(
            "u",
            table -> table.updateEntity(changed(), MERGE),
            TableTransactionActionType.UPDATE_MERGE),
    UPDATE_REPLACE(
            "u",
            table -> table.updateEntity(changed(), REPLACE),
            TableTransactionActionType.UPDATE_REPLACE),
    UPSERT_MERGE(
            "au",
            table -> table.upsertEntityWithResponse(fresh(), MERGE, null, null),
            TableTransactionActionType.UPSERT_MERGE),
    UPSERT_REPLACE(
            "au",
            table -> table.upsertEntityWithResponse(fresh(), REPLACE, null, null),
            TableTransactionActionType.UPSERT_REPLACE),
    DELETE("d", table -> table.deleteEntity("p", "stored"), TableTransactionActionType.DELETE);

    private final String letters;
    private final Consumer<TableClient> call;
    private final TableTransactionActionType batched;

    EntityOperation(
            String letters, Consumer<TableClient> call, TableTransactionActionType batched) {
        this.letters = letters;
        this.call = call;
        this.batched = batched;
    }

    static TableEntity stored() {
        return new TableEntity("p", "stored").addProperty("N", 1);
    }

    private static TableEntity changed() {
        return stored().addProperty("N", 2);
    }

    private static TableEntity fresh() {
        return new TableEntity("p", "new");
    }

    boolean isPermittedBy(String permissions) {
        return letters.chars().allMatch(letter -> permissions.indexOf(letter) >= 0);
    }

    void run(TableClient table) {
        call.accept(table);
    }

    /** The same as part of a batch, if it can be. */
    Optional<TableTransactionAction> action() {
        return Optional.ofNullable(batched)
                .map(
                        type ->
                                new TableTransactionAction(
                                        type, letters.contains("a") ? fresh() : changed()));
    }
}

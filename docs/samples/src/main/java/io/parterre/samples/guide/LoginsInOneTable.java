package io.parterre.samples.guide;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link Logins} is to be used instead of where much is deleted at a time: all attempts in one
 * table. What is old has to be found by a scan of the table first, since every user has some, and
 * then deleted, at best a hundred of one user in a batch.
 */
public final class LoginsInOneTable {
    private static final int BATCH_MAX = 100;

    private final TableClient table;
    private int calls;

    public LoginsInOneTable(TableClient table) {
        this.table = table;
    }

    public void add(String user, Instant at) {
        table.upsertEntity(new TableEntity(user, SortedTime.text(at)));
    }

    public long attempts() {
        return table.listEntities().stream().count();
    }

    /** Deletes what is older. A deletion that stops in the middle may begin again. */
    public void forgetBefore(Instant end) {
        ListEntitiesOptions old =
                new ListEntitiesOptions()
                        .setFilter("RowKey lt " + Filters.literal(SortedTime.text(end)))
                        .setSelect(List.of("PartitionKey", "RowKey"));
        for (PagedResponse<TableEntity> page :
                table.listEntities(old, null, null).iterableByPage()) {
            calls++;
            Map<String, List<TableTransactionAction>> byUser = new LinkedHashMap<>();
            for (TableEntity entity : page.getValue()) {
                byUser.computeIfAbsent(entity.getPartitionKey(), user -> new ArrayList<>())
                        .add(new TableTransactionAction(TableTransactionActionType.DELETE, entity));
            }
            byUser.values().forEach(this::delete);
        }
    }

    private void delete(List<TableTransactionAction> actions) {
        for (int from = 0; from < actions.size(); from += BATCH_MAX) {
            table.submitTransaction(
                    actions.subList(from, Math.min(actions.size(), from + BATCH_MAX)));
            calls++;
        }
    }

    /** What deleting has cost so far. */
    public int calls() {
        return calls;
    }
}

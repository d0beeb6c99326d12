package io.parterre.samples.guide;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import io.parterre.samples.guide.Expenses.Claim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What {@link Expenses} is to be used instead of: claims by the time they were made, oldest first.
 * Nothing in the protocol asks for the last entities of a partition, so the way to the latest ones
 * leads through all, a page of a thousand after the other.
 */
public final class ExpensesInOrder {
    private final TableClient table;
    private int pagesRead;

    public ExpensesInOrder(TableClient table) {
        this.table = table;
    }

    public void add(String employeeId, Claim claim) {
        table.createEntity(
                new TableEntity(employeeId, SortedTime.text(claim.at()))
                        .addProperty("What", claim.what())
                        .addProperty("Amount", claim.amount()));
    }

    /** The latest first. */
    public List<Claim> latest(String employeeId, int count) {
        Deque<TableEntity> last = new ArrayDeque<>();
        ListEntitiesOptions all =
                new ListEntitiesOptions().setFilter(Filters.partition(employeeId));
        for (PagedResponse<TableEntity> page :
                table.listEntities(all, null, null).iterableByPage()) {
            pagesRead++;
            for (TableEntity entity : page.getValue()) {
                last.addLast(entity);
                if (last.size() > count) {
                    last.removeFirst();
                }
            }
        }
        List<Claim> claims = new ArrayList<>();
        last.descendingIterator()
                .forEachRemaining(
                        entity ->
                                claims.add(
                                        Expenses.claim(entity, SortedTime.of(entity.getRowKey()))));
        return claims;
    }

    /** Answers of the service so far. */
    public int pagesRead() {
        return pagesRead;
    }
}

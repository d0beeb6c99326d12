package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import java.util.List;

/**
 * Inter-partition secondary index: the copies lie in partitions of their own, which can be served
 * by different nodes when a department is busy.
 *
 * <pre>
 * PartitionKey  RowKey
 * email_Sales   jonesj@contoso.com
 * empid_Sales   000223
 * </pre>
 *
 * <p>No batch spans partitions. Every step here may be done twice, so an interrupted caller starts
 * over, and the copies are the same in the end.
 */
public final class InterPartitionIndex {
    private static final String BY_ID = "empid_";
    private static final String BY_EMAIL = "email_";

    private final TableClient table;

    public InterPartitionIndex(TableClient table) {
        this.table = table;
    }

    public void save(Employee employee) {
        upsert(employee.toEntity(BY_ID + employee.department(), employee.id()));
        upsert(employee.toEntity(BY_EMAIL + employee.department(), employee.email()));
    }

    public Employee withId(String department, String id) {
        return Employee.of(table.getEntity(BY_ID + department, id));
    }

    public Employee withEmail(String department, String email) {
        return Employee.of(table.getEntity(BY_EMAIL + department, email));
    }

    /** In the order of their ids. */
    public List<Employee> withIds(String department, String from, String toExclusive) {
        return list(Filters.partition(BY_ID + department), Filters.rows(from, toExclusive));
    }

    /** In the order of their addresses. */
    public List<Employee> withEmailsStarting(String department, String prefix) {
        return list(Filters.partition(BY_EMAIL + department), Filters.rowsWithPrefix(prefix));
    }

    private void upsert(TableEntity entity) {
        table.upsertEntityWithResponse(entity, TableEntityUpdateMode.REPLACE, null, null);
    }

    private List<Employee> list(String partition, String rows) {
        ListEntitiesOptions options =
                new ListEntitiesOptions().setFilter(partition + " and " + rows);
        return table.listEntities(options, null, null).stream().map(Employee::of).toList();
    }
}

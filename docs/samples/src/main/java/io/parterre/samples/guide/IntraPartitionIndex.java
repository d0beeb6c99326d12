package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.List;

/**
 * Intra-partition secondary index: each employee is stored twice in the department's partition,
 * once for each way of being looked up. A batch keeps both copies the same.
 *
 * <pre>
 * PartitionKey  RowKey
 * Sales         email_jonesj@contoso.com
 * Sales         empid_000223
 * </pre>
 */
public final class IntraPartitionIndex {
    private static final String BY_ID = "empid_";
    private static final String BY_EMAIL = "email_";

    private final TableClient table;

    public IntraPartitionIndex(TableClient table) {
        this.table = table;
    }

    public void save(Employee employee) {
        table.submitTransaction(
                List.of(
                        action(TableTransactionActionType.UPSERT_REPLACE, byId(employee)),
                        action(TableTransactionActionType.UPSERT_REPLACE, byEmail(employee))));
    }

    /** Moves the copy that is found by address: out with the old, in with the new, at once. */
    public void changeEmail(Employee employee, String email) {
        Employee changed =
                new Employee(
                        employee.department(),
                        employee.id(),
                        employee.firstName(),
                        employee.lastName(),
                        employee.age(),
                        email);
        table.submitTransaction(
                List.of(
                        action(TableTransactionActionType.UPDATE_REPLACE, byId(changed)),
                        action(TableTransactionActionType.DELETE, byEmail(employee)),
                        action(TableTransactionActionType.CREATE, byEmail(changed))));
    }

    public Employee withId(String department, String id) {
        return Employee.of(table.getEntity(department, BY_ID + id));
    }

    public Employee withEmail(String department, String email) {
        return Employee.of(table.getEntity(department, BY_EMAIL + email));
    }

    /** In the order of their ids. */
    public List<Employee> withIds(String department, String from, String toExclusive) {
        return list(department, Filters.rows(BY_ID + from, BY_ID + toExclusive));
    }

    /** In the order of their addresses. */
    public List<Employee> withEmailsStarting(String department, String prefix) {
        return list(department, Filters.rowsWithPrefix(BY_EMAIL + prefix));
    }

    private List<Employee> list(String department, String rows) {
        ListEntitiesOptions options =
                new ListEntitiesOptions().setFilter(Filters.partition(department) + " and " + rows);
        return table.listEntities(options, null, null).stream().map(Employee::of).toList();
    }

    private static TableEntity byId(Employee employee) {
        return employee.toEntity(employee.department(), BY_ID + employee.id());
    }

    private static TableEntity byEmail(Employee employee) {
        return employee.toEntity(employee.department(), BY_EMAIL + employee.email());
    }

    private static TableTransactionAction action(
            TableTransactionActionType type, TableEntity entity) {
        return new TableTransactionAction(type, entity);
    }
}

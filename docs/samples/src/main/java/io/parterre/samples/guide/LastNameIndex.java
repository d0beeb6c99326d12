package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Index entities: an entity for each last name lists the ids of those who bear it, in the partition
 * of the employees, so that a batch changes the list together with the employee.
 *
 * <pre>
 * PartitionKey  RowKey        properties
 * Sales         000152        FirstName, LastName, ...
 * Sales         name_Jones    EmployeeIds = 000152,000223
 * </pre>
 */
public final class LastNameIndex {
    private static final String BY_NAME = "name_";
    private static final int ATTEMPTS_MAX = 100;

    private final TableClient table;

    public LastNameIndex(TableClient table) {
        this.table = table;
    }

    /** The list is read with its ETag; if it changes before the batch does, both are done over. */
    public void add(Employee employee) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Optional<TableEntity> index = index(employee.department(), employee.lastName());
            try {
                table.submitTransaction(
                        List.of(
                                new TableTransactionAction(
                                        TableTransactionActionType.CREATE,
                                        employee.toEntity(employee.department(), employee.id())),
                                withId(index, employee)));
                return;
            } catch (TableTransactionFailedException e) {
                boolean employeeIsNew =
                        Integer.valueOf(1).equals(e.getFailedTransactionActionIndex());
                if (!employeeIsNew) {
                    throw e;
                }
            }
        }
        throw new IllegalStateException("too many others change " + employee.lastName());
    }

    /** One query for the list, one for each employee on it. */
    public List<Employee> withLastName(String department, String lastName) {
        return index(department, lastName).map(LastNameIndex::ids).orElse(List.of()).stream()
                .map(id -> Employee.of(table.getEntity(department, id)))
                .toList();
    }

    private TableTransactionAction withId(Optional<TableEntity> index, Employee employee) {
        if (index.isEmpty()) {
            // If somebody else creates the list meanwhile, this fails, as an old ETag would.
            return new TableTransactionAction(
                    TableTransactionActionType.CREATE,
                    new TableEntity(employee.department(), BY_NAME + employee.lastName())
                            .addProperty("EmployeeIds", employee.id()));
        }
        List<String> ids = new ArrayList<>(ids(index.get()));
        ids.add(employee.id());
        return new TableTransactionAction(
                TableTransactionActionType.UPDATE_REPLACE,
                index.get().addProperty("EmployeeIds", String.join(",", ids)),
                true);
    }

    private Optional<TableEntity> index(String department, String lastName) {
        try {
            return Optional.of(table.getEntity(department, BY_NAME + lastName));
        } catch (TableServiceException e) {
            if (e.getValue().getErrorCode().equals(TableErrorCode.RESOURCE_NOT_FOUND)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static List<String> ids(TableEntity index) {
        return Arrays.asList(((String) index.getProperty("EmployeeIds")).split(","));
    }
}

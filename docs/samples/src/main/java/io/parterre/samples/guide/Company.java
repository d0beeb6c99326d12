package io.parterre.samples.guide;

import com.azure.core.http.rest.Response;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import java.util.List;
import java.util.Optional;

/**
 * Departments and employees in one table, one partition a department.
 *
 * <pre>
 * PartitionKey  RowKey      properties
 * Marketing     00001       FirstName, LastName, Age, Email, ...
 * Marketing     00002       FirstName, LastName, Age, Email, ...
 * Marketing     Department  DepartmentName, EmployeeCount
 * Sales         00010       FirstName, LastName, Age, Email, ...
 * </pre>
 *
 * <p>A department shares its partition with its people, so that one batch can change both: the
 * count of employees is never off by one.
 */
public final class Company {
    private static final String DEPARTMENT_ROW = "Department";
    private static final int ATTEMPTS_MAX = 100;

    private final TableClient table;

    public Company(TableClient table) {
        this.table = table;
    }

    public void found(String department) {
        table.createEntity(
                new TableEntity(department, DEPARTMENT_ROW)
                        .addProperty("EntityType", "Department")
                        .addProperty("DepartmentName", department)
                        .addProperty("EmployeeCount", 0));
    }

    /**
     * Adds an employee and counts one more in the department: both or neither. If somebody else
     * hired in between, the department's ETag no longer matches, the batch fails as a whole, and it
     * is made again from what is stored now.
     */
    public void hire(Employee employee) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            TableEntity department = table.getEntity(employee.department(), DEPARTMENT_ROW);
            int count = (Integer) department.getProperty("EmployeeCount");
            department.addProperty("EmployeeCount", count + 1);
            try {
                table.submitTransaction(
                        List.of(
                                new TableTransactionAction(
                                        TableTransactionActionType.CREATE,
                                        employee.toEntity(employee.department(), employee.id())),
                                new TableTransactionAction(
                                        TableTransactionActionType.UPDATE_MERGE,
                                        department,
                                        true)));
                return;
            } catch (TableTransactionFailedException e) {
                if (!e.getValue()
                        .getErrorCode()
                        .equals(TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED)) {
                    throw e;
                }
            }
        }
        throw new IllegalStateException("too many others hire for " + employee.department());
    }

    /** Point query, the cheapest there is: both keys are known. */
    public Optional<Employee> employee(String department, String id) {
        try {
            return Optional.of(Employee.of(table.getEntity(department, id)));
        } catch (TableServiceException e) {
            if (e.getValue().getErrorCode().equals(TableErrorCode.RESOURCE_NOT_FOUND)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Range query: one partition, a run of neighbours in it. Sorted by id, since ids are row keys.
     */
    public List<Employee> employeesWithIds(String department, String from, String toExclusive) {
        return employees(Filters.partition(department) + " and " + Filters.rows(from, toExclusive));
    }

    /** Partition scan: reads one partition, and leaves out what does not match. */
    public List<Employee> employeesNamed(String department, String lastName) {
        return employees(
                Filters.partition(department) + " and LastName eq " + Filters.literal(lastName));
    }

    /**
     * Table scan: reads everything. Good for a report at night, not for a page somebody waits for.
     */
    public List<Employee> employeesNamedAnywhere(String lastName) {
        return employees("LastName eq " + Filters.literal(lastName));
    }

    /** Comparisons may be combined; a department has no Age, so it never matches. */
    public List<Employee> employeesAged(String department, int atLeast, int below) {
        return employees(
                Filters.partition(department) + " and Age ge " + atLeast + " and Age lt " + below);
    }

    /** Projection: of every employee nothing but the address travels. */
    public List<String> emails(String department) {
        ListEntitiesOptions options =
                new ListEntitiesOptions()
                        .setFilter(Filters.partition(department) + " and EntityType eq 'Employee'")
                        .setSelect(List.of("Email"));
        return table.listEntities(options, null, null).stream()
                .map(entity -> (String) entity.getProperty("Email"))
                .toList();
    }

    public int employeeCount(String department) {
        return (Integer) table.getEntity(department, DEPARTMENT_ROW).getProperty("EmployeeCount");
    }

    /** Merge: names one property, leaves all others as they are. */
    public void changeEmail(String department, String id, String email) {
        table.updateEntity(
                new TableEntity(department, id).addProperty("Email", email),
                TableEntityUpdateMode.MERGE);
    }

    /**
     * Changes an employee only if nobody else did since they were read.
     *
     * @return whether it was changed
     */
    public boolean rename(TableEntity asRead, String lastName) {
        try {
            Response<Void> response =
                    table.updateEntityWithResponse(
                            asRead.addProperty("LastName", lastName),
                            TableEntityUpdateMode.REPLACE,
                            true,
                            null,
                            null);
            return response.getStatusCode() == 204;
        } catch (TableServiceException e) {
            if (e.getValue().getErrorCode().equals(TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED)) {
                return false;
            }
            throw e;
        }
    }

    private List<Employee> employees(String filter) {
        return table.listEntities(new ListEntitiesOptions().setFilter(filter), null, null).stream()
                // The partition holds its department as well.
                .filter(entity -> "Employee".equals(entity.getProperty("EntityType")))
                .map(Employee::of)
                .toList();
    }
}

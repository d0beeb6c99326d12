package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.List;

/**
 * Denormalisation: the department carries what is shown of its manager, so that a card of the
 * department is one point query instead of two. The manager stands in the same partition; a batch
 * keeps the copy true.
 *
 * <pre>
 * PartitionKey  RowKey      properties
 * Sales         000007      FirstName, LastName, Email, ...
 * Sales         Department  DepartmentName, ManagerId, ManagerName, ManagerEmail
 * </pre>
 */
public final class DepartmentCard {
    /** What is shown of a department. */
    public record Card(String department, String managerName, String managerEmail) {}

    private static final String DEPARTMENT_ROW = "Department";

    private final TableClient table;

    public DepartmentCard(TableClient table) {
        this.table = table;
    }

    /** Saves the manager, and what the department shows of them. */
    public void saveManager(Employee manager) {
        table.submitTransaction(
                List.of(
                        new TableTransactionAction(
                                TableTransactionActionType.UPSERT_REPLACE,
                                manager.toEntity(manager.department(), manager.id())),
                        new TableTransactionAction(
                                TableTransactionActionType.UPSERT_MERGE,
                                new TableEntity(manager.department(), DEPARTMENT_ROW)
                                        .addProperty("DepartmentName", manager.department())
                                        .addProperty("ManagerId", manager.id())
                                        .addProperty(
                                                "ManagerName",
                                                manager.firstName() + " " + manager.lastName())
                                        .addProperty("ManagerEmail", manager.email()))));
    }

    public Card card(String department) {
        TableEntity entity = table.getEntity(department, DEPARTMENT_ROW);
        return new Card(
                (String) entity.getProperty("DepartmentName"),
                (String) entity.getProperty("ManagerName"),
                (String) entity.getProperty("ManagerEmail"));
    }
}

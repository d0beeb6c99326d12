package io.parterre.samples.guide;

import com.azure.data.tables.models.TableEntity;

/**
 * An employee as the application knows one.
 *
 * @param id fixed length, zero-padded: keys are text, and only so do they sort like numbers
 */
public record Employee(
        String department, String id, String firstName, String lastName, int age, String email) {
    /** The same properties under whichever keys a pattern asks for. */
    TableEntity toEntity(String partitionKey, String rowKey) {
        return new TableEntity(partitionKey, rowKey)
                .addProperty("EntityType", "Employee")
                .addProperty("Department", department)
                .addProperty("EmployeeId", id)
                .addProperty("FirstName", firstName)
                .addProperty("LastName", lastName)
                .addProperty("Age", age)
                .addProperty("Email", email);
    }

    static Employee of(TableEntity entity) {
        return new Employee(
                (String) entity.getProperty("Department"),
                (String) entity.getProperty("EmployeeId"),
                (String) entity.getProperty("FirstName"),
                (String) entity.getProperty("LastName"),
                (Integer) entity.getProperty("Age"),
                (String) entity.getProperty("Email"));
    }
}

package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compound keys: an employee's yearly reviews stand right behind the employee, since the row key is
 * made of the employee's id and the year. All of it is one range; a single review is a point query.
 *
 * <pre>
 * PartitionKey  RowKey             properties
 * Sales         empid_000123       FirstName, LastName, ...
 * Sales         empid_000123_2012  ManagerRating, PeerRating, Comments
 * Sales         empid_000123_2013  ManagerRating, PeerRating, Comments
 * </pre>
 */
public final class Reviews {
    /** What others thought of an employee in one year. */
    public record Review(int managerRating, int peerRating, String comments) {}

    private final TableClient table;

    public Reviews(TableClient table) {
        this.table = table;
    }

    public void add(Employee employee) {
        table.createEntity(employee.toEntity(employee.department(), row(employee.id())));
    }

    public void add(String department, String id, int year, Review review) {
        table.createEntity(
                new TableEntity(department, row(id) + "_" + year)
                        .addProperty("ManagerRating", review.managerRating())
                        .addProperty("PeerRating", review.peerRating())
                        .addProperty("Comments", review.comments()));
    }

    public Review review(String department, String id, int year) {
        return reviewOf(table.getEntity(department, row(id) + "_" + year));
    }

    /**
     * All reviews of an employee by year. The employee, whose key is the prefix alone, stays out.
     */
    public Map<Integer, Review> reviews(String department, String id) {
        ListEntitiesOptions options =
                new ListEntitiesOptions()
                        .setFilter(
                                Filters.partition(department)
                                        + " and "
                                        + Filters.rowsWithPrefix(row(id) + "_"))
                        .setSelect(List.of("RowKey", "ManagerRating", "PeerRating", "Comments"));
        Map<Integer, Review> reviews = new TreeMap<>();
        for (TableEntity entity : table.listEntities(options, null, null)) {
            String year = entity.getRowKey().substring(row(id).length() + 1);
            reviews.put(Integer.valueOf(year), reviewOf(entity));
        }
        return reviews;
    }

    private static Review reviewOf(TableEntity entity) {
        return new Review(
                (Integer) entity.getProperty("ManagerRating"),
                (Integer) entity.getProperty("PeerRating"),
                (String) entity.getProperty("Comments"));
    }

    private static String row(String id) {
        return "empid_" + id;
    }
}

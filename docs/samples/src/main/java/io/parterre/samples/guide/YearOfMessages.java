package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Wide entities: a number for each of 365 days does not fit into the 252 properties an entity may
 * have, so the year lies in two entities of one partition. A batch writes both, or none; a single
 * day is a merge into one of them.
 *
 * <pre>
 * PartitionKey  RowKey
 * 000123        2014_01    days 1 to 183
 * 000123        2014_02    days 184 to 365
 * </pre>
 */
public final class YearOfMessages {
    private static final int DAYS = 365;
    private static final int DAYS_PER_ENTITY = 183;

    private final TableClient table;

    public YearOfMessages(TableClient table) {
        this.table = table;
    }

    public void save(String employeeId, int year, List<Integer> days) {
        List<TableTransactionAction> parts = new ArrayList<>();
        for (int first = 1; first <= DAYS; first += DAYS_PER_ENTITY) {
            TableEntity part = new TableEntity(employeeId, row(year, first));
            for (int day = first; day < first + DAYS_PER_ENTITY && day <= DAYS; day++) {
                part.addProperty(property(day), days.get(day - 1));
            }
            parts.add(new TableTransactionAction(TableTransactionActionType.UPSERT_REPLACE, part));
        }
        table.submitTransaction(parts);
    }

    public void setDay(String employeeId, int year, int day, int messages) {
        table.updateEntity(
                new TableEntity(employeeId, row(year, day)).addProperty(property(day), messages),
                TableEntityUpdateMode.MERGE);
    }

    /** Two point queries. */
    public List<Integer> year(String employeeId, int year) {
        List<Integer> days = new ArrayList<>();
        for (int first = 1; first <= DAYS; first += DAYS_PER_ENTITY) {
            TableEntity part = table.getEntity(employeeId, row(year, first));
            for (int day = first; day < first + DAYS_PER_ENTITY && day <= DAYS; day++) {
                days.add((Integer) part.getProperty(property(day)));
            }
        }
        return days;
    }

    private static String row(int year, int day) {
        return String.format(Locale.ROOT, "%d_%02d", year, (day - 1) / DAYS_PER_ENTITY + 1);
    }

    private static String property(int day) {
        return String.format(Locale.ROOT, "Day%03d", day);
    }
}

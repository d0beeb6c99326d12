package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListTablesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableItem;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * High-volume delete: a table a day, so that a day's attempts to log in go with one call, however
 * many there were. Within a day each user is a partition of their own, which spreads the inserts.
 */
public final class Logins {
    private final TableServiceClient service;
    private final String prefix;

    /**
     * @param prefix of the tables' names, letters only
     */
    public Logins(TableServiceClient service, String prefix) {
        this.service = service;
        this.prefix = prefix;
    }

    public void add(String user, Instant at) {
        TableClient table =
                service.createTableIfNotExistsWithResponse(
                                table(at.atZone(ZoneOffset.UTC).toLocalDate()), null, null)
                        .getValue();
        table.upsertEntity(new TableEntity(user, at.toString()));
    }

    /** Days of which there are attempts, oldest first. Tables are listed by name. */
    public List<LocalDate> days() {
        ListTablesOptions options =
                new ListTablesOptions()
                        .setFilter(
                                "TableName ge '"
                                        + prefix
                                        + "0' and TableName lt '"
                                        + prefix
                                        + ":'");
        return service.listTables(options, null, null).stream()
                .map(TableItem::getName)
                .map(name -> name.substring(prefix.length()))
                .map(day -> LocalDate.parse(day, DateTimeFormatter.BASIC_ISO_DATE))
                .toList();
    }

    public long attempts(LocalDate day) {
        return service.getTableClient(table(day)).listEntities().stream().count();
    }

    public void forget(LocalDate day) {
        service.deleteTable(table(day));
    }

    private String table(LocalDate day) {
        return prefix + DateTimeFormatter.BASIC_ISO_DATE.format(day);
    }
}

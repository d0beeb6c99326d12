package io.parterre.samples.guide;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Log tail: the latest claims of an employee come first. Queries can return the first entities of a
 * partition but not the last, so the row key counts down: the ticks of 100 ns that are left until
 * the end of the year 9999, padded to 19 digits.
 */
public final class Expenses {
    private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59.9999999Z");

    /** An expense that an employee wants back. */
    public record Claim(Instant at, String what, double amount) {}

    private final TableClient table;

    public Expenses(TableClient table) {
        this.table = table;
    }

    public void add(String employeeId, Claim claim) {
        table.createEntity(
                new TableEntity(employeeId, invertedTicks(claim.at()))
                        .addProperty("What", claim.what())
                        .addProperty("Amount", claim.amount()));
    }

    /** The first page, no longer than that, holds the latest. */
    public List<Claim> latest(String employeeId, int count) {
        ListEntitiesOptions options =
                new ListEntitiesOptions().setFilter(Filters.partition(employeeId)).setTop(count);
        PagedResponse<TableEntity> page =
                table.listEntities(options, null, null).iterableByPage().iterator().next();
        return page.getValue().stream()
                .map(entity -> claim(entity, timeOf(entity.getRowKey())))
                .toList();
    }

    static String invertedTicks(Instant at) {
        Duration left = Duration.between(at, END_OF_TIME);
        return String.format(
                Locale.ROOT, "%019d", left.getSeconds() * 10_000_000 + left.getNano() / 100);
    }

    static Instant timeOf(String invertedTicks) {
        long ticks = Long.parseLong(invertedTicks);
        return END_OF_TIME.minusSeconds(ticks / 10_000_000).minusNanos(ticks % 10_000_000 * 100);
    }

    static Claim claim(TableEntity entity, Instant at) {
        return new Claim(
                at, (String) entity.getProperty("What"), (Double) entity.getProperty("Amount"));
    }
}

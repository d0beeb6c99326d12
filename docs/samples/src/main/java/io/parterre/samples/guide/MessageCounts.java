package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Data series: how many messages an employee sent in each hour of a day, in one entity a day with a
 * property an hour. A merge sets one hour and sends no other; one read brings the whole day.
 */
public final class MessageCounts {
    private static final int HOURS = 24;

    private final TableClient table;

    public MessageCounts(TableClient table) {
        this.table = table;
    }

    public void set(String employeeId, LocalDate day, int hour, int messages) {
        table.upsertEntityWithResponse(
                new TableEntity(employeeId, day.toString()).addProperty(property(hour), messages),
                TableEntityUpdateMode.MERGE,
                null,
                null);
    }

    /** One number for each hour; zero where nothing was ever set. */
    public List<Integer> day(String employeeId, LocalDate day) {
        Map<String, Object> properties =
                table.getEntity(employeeId, day.toString()).getProperties();
        return IntStream.range(0, HOURS)
                .mapToObj(hour -> (Integer) properties.getOrDefault(property(hour), 0))
                .toList();
    }

    private static String property(int hour) {
        return String.format(Locale.ROOT, "Hour%02d", hour);
    }
}

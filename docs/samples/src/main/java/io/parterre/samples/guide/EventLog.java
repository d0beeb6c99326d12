package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Prepend/append anti-pattern and its cure: events of employees, by the hour they happened in.
 *
 * <p>With one bucket the PartitionKey is the hour. All who log at the same time write to the same
 * partition, the last of the table: it belongs to one range, led by one server, and no split helps,
 * since what comes next falls behind every split point.
 *
 * <p>With several buckets the PartitionKey is {@code bucket_hour}, the bucket a hash of the
 * employee. Writes then fall on as many places of the table, between which ranges can be split. It
 * is paid for by reading: an hour's events are asked for in each bucket, which can be done side by
 * side. One employee's events stay in one partition an hour. Of one employee there is at most one
 * event a millisecond.
 */
public final class EventLog {
    /** Something that an employee did. */
    public record Event(Instant at, String employeeId, String what) {}

    private static final Comparator<Event> IN_TIME =
            Comparator.comparing(Event::at).thenComparing(Event::employeeId);

    private final TableClient table;
    private final int buckets;

    /**
     * A log.
     *
     * @param buckets 1 to 100; never to be changed for a table that holds events
     */
    public EventLog(TableClient table, int buckets) {
        if (buckets < 1 || buckets > 100) {
            throw new IllegalArgumentException("buckets: " + buckets + " (expected: 1 to 100)");
        }
        this.table = table;
        this.buckets = buckets;
    }

    public void add(Event event) {
        table.createEntity(
                new TableEntity(
                                partition(bucketOf(event.employeeId()), event.at()),
                                rowKey(event.at()) + "_" + event.employeeId())
                        .addProperty("What", event.what()));
    }

    /** All events of the hour that a moment lies in, in the order of time: a query for a bucket. */
    public List<Event> ofHour(Instant within) {
        return IntStream.range(0, buckets)
                .parallel()
                .mapToObj(bucket -> partition(bucket, within))
                .flatMap(partition -> query(Filters.partition(partition)))
                .sorted(IN_TIME)
                .toList();
    }

    /** One employee's, in the order of time: one query, however many buckets there are. */
    public List<Event> ofHour(Instant within, String employeeId) {
        return query(Filters.partition(partition(bucketOf(employeeId), within)))
                .filter(event -> event.employeeId().equals(employeeId))
                .sorted(IN_TIME)
                .toList();
    }

    /** Partitions that events of the hour are written to. */
    public List<String> partitions(Instant within) {
        return IntStream.range(0, buckets).mapToObj(bucket -> partition(bucket, within)).toList();
    }

    private Stream<Event> query(String filter) {
        return table.listEntities(new ListEntitiesOptions().setFilter(filter), null, null).stream()
                .map(EventLog::eventOf);
    }

    private int bucketOf(String employeeId) {
        // What String.hashCode gives is part of Java's specification, so buckets never change.
        return Math.floorMod((employeeId.hashCode() * 0x9E3779B9) >>> 8, buckets);
    }

    private String partition(int bucket, Instant at) {
        Instant hour = at.truncatedTo(ChronoUnit.HOURS);
        return buckets == 1 ? hour.toString() : "%02d_%s".formatted(bucket, hour);
    }

    /** Milliseconds within the hour, padded so that they sort. */
    private static String rowKey(Instant at) {
        return "%07d".formatted(sinceHour(at).toMillis());
    }

    private static Duration sinceHour(Instant at) {
        return Duration.between(at.truncatedTo(ChronoUnit.HOURS), at);
    }

    private static Event eventOf(TableEntity entity) {
        String partition = entity.getPartitionKey();
        Instant hour = Instant.parse(partition.substring(partition.indexOf('_') + 1));
        String[] row = entity.getRowKey().split("_", 2);
        return new Event(
                hour.plusMillis(Long.parseLong(row[0])),
                row[1],
                (String) entity.getProperty("What"));
    }
}

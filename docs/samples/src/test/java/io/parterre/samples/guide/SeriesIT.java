package io.parterre.samples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import io.parterre.samples.guide.EventLog.Event;
import io.parterre.samples.guide.Expenses.Claim;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entities that follow one another in time, and series within an entity. */
class SeriesIT {
    @Test
    void latestClaimsAreReturnedFirst_withInvertedTimeKeys() {
        Expenses expenses = new Expenses(Service.freshTable());
        Instant start = Instant.parse("2014-08-22T00:50:32.1234567Z");
        List<Claim> claims =
                IntStream.range(0, 25)
                        .mapToObj(i -> new Claim(start.plusSeconds(60L * i), "Taxi " + i, 12.5 + i))
                        .toList();
        claims.forEach(claim -> expenses.add("000123", claim));
        expenses.add("000124", new Claim(start.plusSeconds(86_400), "Somebody else's", 1));

        List<Claim> latestFirst = new ArrayList<>(claims);
        Collections.reverse(latestFirst);
        assertThat(expenses.latest("000123", 10)).isEqualTo(latestFirst.subList(0, 10));
    }

    @Test
    void latestClaimsNeedFullPartitionScan_whenKeysAscend() {
        TableClient inOrder = Service.freshTable();
        Instant start = Instant.parse("2014-08-22T00:50:32Z");
        int claims = 1_100;
        for (int from = 0; from < claims; from += 100) {
            inOrder.submitTransaction(
                    IntStream.range(from, from + 100)
                            .mapToObj(i -> claimInOrder(start.plusSeconds(60L * i), i))
                            .toList());
        }
        ExpensesInOrder expenses = new ExpensesInOrder(inOrder);

        assertThat(expenses.latest("000123", 2))
                .containsExactly(
                        new Claim(start.plusSeconds(60L * 1_099), "Taxi 1099", 1_099.5),
                        new Claim(start.plusSeconds(60L * 1_098), "Taxi 1098", 1_098.5));
        // A first page of two would have been enough: see Expenses.
        assertThat(expenses.pagesRead()).isEqualTo(2);
    }

    private static TableTransactionAction claimInOrder(Instant at, int number) {
        return new TableTransactionAction(
                TableTransactionActionType.CREATE,
                new TableEntity("000123", SortedTime.text(at))
                        .addProperty("What", "Taxi " + number)
                        .addProperty("Amount", number + 0.5));
    }

    @Test
    void invertedTicksCountDownAndRoundTrip() {
        Instant time = Instant.parse("2014-08-22T00:50:32.1234567Z");

        // DateTime.MaxValue.Ticks - new DateTime(2014, 8, 22, 0, 50, 32).AddTicks(1234567).Ticks
        assertThat(Expenses.invertedTicks(time)).isEqualTo("2519936321678765432");
        assertThat(Expenses.timeOf("2519936321678765432")).isEqualTo(time);
        assertThat(Expenses.invertedTicks(Instant.parse("9999-12-31T23:59:59.9999999Z")))
                .isEqualTo("0000000000000000000");
    }

    @Test
    void dayReturnsHourlyCounts_whenHoursAreSetConcurrently() {
        MessageCounts counts = new MessageCounts(Service.freshTable());
        LocalDate day = LocalDate.of(2014, 8, 22);
        // Hours are set side by side: each merge leaves the others' hours alone.
        IntStream.range(8, 20)
                .parallel()
                .forEach(hour -> counts.set("000123", day, hour, hour * 10));
        counts.set("000123", day, 8, 81);

        List<Integer> expected =
                IntStream.range(0, 24)
                        .mapToObj(hour -> hour < 8 || hour >= 20 ? 0 : hour == 8 ? 81 : hour * 10)
                        .toList();
        assertThat(counts.day("000123", day)).isEqualTo(expected);
    }

    @Test
    void yearOfCountsRoundTrips_withTwoEntities() {
        YearOfMessages messages = new YearOfMessages(Service.freshTable());
        List<Integer> days = new ArrayList<>(IntStream.rangeClosed(1, 365).boxed().toList());
        messages.save("000123", 2014, days);
        assertThat(messages.year("000123", 2014)).isEqualTo(days);

        messages.setDay("000123", 2014, 183, -1);
        messages.setDay("000123", 2014, 184, -2);

        days.set(182, -1);
        days.set(183, -2);
        assertThat(messages.year("000123", 2014)).isEqualTo(days);
    }

    @Test
    void dayOfLoginsIsDeleted_byDroppingItsTable() {
        String letters = UUID.randomUUID().toString().replaceAll("[^a-f]", "");
        Logins logins = new Logins(Service.CLIENT, "Logins" + letters);
        logins.add("don", Instant.parse("2014-08-22T08:00:00Z"));
        logins.add("don", Instant.parse("2014-08-22T08:00:05Z"));
        logins.add("jun", Instant.parse("2014-08-22T09:00:00Z"));
        logins.add("don", Instant.parse("2014-08-23T08:00:00Z"));
        LocalDate first = LocalDate.of(2014, 8, 22);
        LocalDate second = LocalDate.of(2014, 8, 23);
        assertThat(logins.days()).containsExactly(first, second);
        assertThat(logins.attempts(first)).isEqualTo(3);

        logins.forget(first);

        assertThat(logins.days()).containsExactly(second);
        assertThat(logins.attempts(second)).isEqualTo(1);
        logins.forget(second);
        assertThat(logins.days()).isEmpty();

        // The name is free at once, and nothing of what had it is left.
        logins.add("amy", Instant.parse("2014-08-22T10:00:00Z"));
        assertThat(logins.attempts(first)).isEqualTo(1);
        logins.forget(first);
    }

    @Test
    void oldLoginsAreDeleted_byScanAndBatchPerUser() {
        TableClient table = Service.freshTable();
        LoginsInOneTable logins = new LoginsInOneTable(table);
        Instant end = Instant.parse("2014-08-23T00:00:00Z");
        for (String user : List.of("amy", "don", "jun")) {
            logins.add(user, end.minusSeconds(7_200));
            logins.add(user, end.minusSeconds(3_600));
            logins.add(user, end.plusMillis(500));
        }

        logins.forgetBefore(end);

        assertThat(logins.attempts()).isEqualTo(3);
        assertThat(table.listEntities().stream().map(TableEntity::getRowKey))
                .containsOnly(SortedTime.text(end.plusMillis(500)));
        // One scan and a batch for each user; with a table a day it is one call.
        assertThat(logins.calls()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void hourOfEventsIsReturnedInTimeOrder_forAnyBucketCount(int buckets) {
        EventLog log = new EventLog(Service.freshTable(), buckets);
        Instant hour = Instant.parse("2014-08-22T08:00:00Z");
        List<Event> events =
                IntStream.range(0, 60)
                        .mapToObj(
                                i ->
                                        new Event(
                                                hour.plusMillis(1_000L * i),
                                                "00012" + i % 10,
                                                "Door " + i))
                        .toList();
        events.forEach(log::add);
        log.add(new Event(hour.plusSeconds(3_600), "000123", "The next hour"));
        log.add(new Event(hour.minusMillis(1), "000123", "The hour before"));

        assertThat(log.ofHour(hour.plusSeconds(1_234))).isEqualTo(events);
        assertThat(log.ofHour(hour, "000123"))
                .isEqualTo(
                        events.stream()
                                .filter(event -> event.employeeId().equals("000123"))
                                .toList());
    }

    @Test
    void hourOfEventsIsSpreadOverBuckets() {
        TableClient byTime = Service.freshTable();
        TableClient bucketed = Service.freshTable();
        Instant hour = Instant.parse("2014-08-22T08:00:00Z");
        for (int i = 0; i < 50; i++) {
            Event event = new Event(hour.plusSeconds(i), "%06d".formatted(i), "Door");
            new EventLog(byTime, 1).add(event);
            new EventLog(bucketed, 8).add(event);
        }

        assertThat(partitionsOf(byTime)).containsExactly("2014-08-22T08:00:00Z");
        assertThat(partitionsOf(bucketed))
                .containsExactlyElementsOf(new EventLog(bucketed, 8).partitions(hour));
        assertThat(bucketed.listEntities().stream())
                .as("events in the fullest bucket")
                .filteredOn(entity -> entity.getPartitionKey().startsWith("00_"))
                .hasSizeLessThan(20);
    }

    private static List<String> partitionsOf(TableClient table) {
        return table.listEntities().stream().map(TableEntity::getPartitionKey).distinct().toList();
    }
}

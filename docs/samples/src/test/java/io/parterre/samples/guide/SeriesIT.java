package io.parterre.samples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.samples.guide.Expenses.Claim;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Entities that follow one another in time, and series within an entity. */
class SeriesIT {
    @Test
    void returnsTheLatestClaimsFirst() {
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
    void countsTicksDown() {
        Instant time = Instant.parse("2014-08-22T00:50:32.1234567Z");

        // DateTime.MaxValue.Ticks - new DateTime(2014, 8, 22, 0, 50, 32).AddTicks(1234567).Ticks
        assertThat(Expenses.invertedTicks(time)).isEqualTo("2519936321678765432");
        assertThat(Expenses.timeOf("2519936321678765432")).isEqualTo(time);
        assertThat(Expenses.invertedTicks(Instant.parse("9999-12-31T23:59:59.9999999Z")))
                .isEqualTo("0000000000000000000");
    }

    @Test
    void collectsADayOfMessageCountsInOneEntity() {
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
    void spreadsAYearOverTwoEntities() {
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
    void forgetsADayWithItsTable() {
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
    }
}

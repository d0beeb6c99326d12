package io.parterre.entity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TicksTest {
    @ParameterizedTest
    @CsvSource({
        "2017-01-05T03:25:45.5889570Z, 2017-01-05T03:25:45.588957Z",
        "2014-05-07T08:20:53Z, 2014-05-07T08:20:53Z",
        "2012-11-10T03:04:05.200Z, 2012-11-10T03:04:05.2Z",
        "2012-01-02T23:00:00, 2012-01-02T23:00:00Z",
        "2012-01-02T23:00:00+02:00, 2012-01-02T21:00:00Z",
        "2012-01-02T23:00:00-0130, 2012-01-03T00:30:00Z",
        "2012-01-02, 2012-01-02T00:00:00Z",
        "2012-01-02T10:20Z, 2012-01-02T10:20:00Z",
        "2012-01-02T10:20:30.12345678Z, 2012-01-02T10:20:30.1234567Z",
        "1601-01-01T00:00:00Z, 1601-01-01T00:00:00Z",
        "9999-12-31T23:59:59.9999999Z, 9999-12-31T23:59:59.9999999Z",
        "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
    })
    void timestampParsesAllDocumentedFormsAndFormatsTrimmed(String text, String written) {
        assertThat(Ticks.format(Ticks.parse(text).orElseThrow())).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "2012-13-01",
                "2012-02-30",
                "2012-01-02T25:00:00Z",
                "2012-01-02T10:20:30.Z",
                "2012-01-02T10:20:30ZZ",
                "2012-01-02 10:20:30",
                "2012-01-02T10:20:30+15:00",
                "\u0662012-01-02",
                "2012-01-02T",
                "0000-01-01T00:00:00Z",
            })
    void timestampParseReturnsEmpty_whenTextIsInvalid(String text) {
        assertThat(Ticks.parse(text)).isEqualTo(OptionalLong.empty());
    }

    @Property
    void timestampParseReturnsEveryFormattedTick(
            @ForAll @LongRange(min = Ticks.MIN, max = Ticks.MAX) long ticks) {
        assertThat(Ticks.parse(Ticks.format(ticks))).hasValue(ticks);
        assertThat(Ticks.parse(Ticks.formatFull(ticks))).hasValue(ticks);
        assertThat(Ticks.of(Ticks.toInstant(ticks))).isEqualTo(ticks);
    }

    @ParameterizedTest
    @CsvSource({"2017-01-05T03:24:47.79319Z, 2017-01-05T03:24:47.7931900Z"})
    void formatFullKeepsSevenFractionDigits(Instant time, String written) {
        assertThat(Ticks.formatFull(Ticks.of(time))).isEqualTo(written);
    }

    @Test
    void timestampBoundsMatchTheService() {
        assertThat(Ticks.format(Ticks.MIN)).isEqualTo("1601-01-01T00:00:00Z");
        assertThat(Ticks.format(Ticks.MAX)).isEqualTo("9999-12-31T23:59:59.9999999Z");
    }
}

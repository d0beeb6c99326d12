package io.parterre.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.error.StorageException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;

final class ApiVersionProperties {
    @Property
    void apiVersionAcceptsExactlyDates_fromFirstVersion(
            @ForAll @IntRange(min = 2008, max = 2030) int year,
            @ForAll @IntRange(max = 14) int month,
            @ForAll @IntRange(max = 33) int day) {
        String text = "%04d-%02d-%02d".formatted(year, month, day);
        assertThat(accepted(text)).isEqualTo(isDate(text) && text.compareTo("2009-04-14") >= 0);
    }

    @Property
    void apiVersionIsRejected_whenOneCharacterMakesItInvalid(
            @ForAll @IntRange(max = 9) int at,
            @ForAll @CharRange(from = ' ', to = 'z') char wrong) {
        StringBuilder text = new StringBuilder("2019-02-02");
        text.setCharAt(at, wrong);
        String changed = text.toString().strip();
        assertThat(accepted(changed))
                .isEqualTo(isDate(changed) && changed.compareTo("2009-04-14") >= 0);
    }

    @Example
    void apiVersionDefaultsToNewest_whenNotSent() {
        assertThat(ApiVersion.parse(Optional.of("  ")).text()).isEqualTo("2020-12-06");
        assertThat(ApiVersion.parse(Optional.empty()).text()).isEqualTo("2020-12-06");
        assertThatThrownBy(() -> ApiVersion.parse(Optional.of("+999-01-01")))
                .isInstanceOf(StorageException.class);
    }

    private static boolean accepted(String text) {
        try {
            return ApiVersion.parse(Optional.of(text)).text().equals(text);
        } catch (StorageException refused) {
            return false;
        }
    }

    private static boolean isDate(String text) {
        try {
            LocalDate.parse(text);
            return true;
        } catch (DateTimeException malformed) {
            return false;
        }
    }
}

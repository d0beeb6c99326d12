package io.parterre.frontend.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

final class HttpDateProperties {
    private static final DateTimeFormatter USUAL =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /** 0001-01-01 to 9999-12-31. */
    @Property
    void httpDateParseReturnsFormattedTime(
            @ForAll @LongRange(min = -62_135_596_800L, max = 253_402_300_799L) long second) {
        Instant time = Instant.ofEpochSecond(second);
        assertThat(HttpDate.parse(USUAL.format(time))).contains(time);
    }

    /**
     * Wrong weekdays, 30 February, letters for digits: whatever one changed character makes of it.
     */
    @Property
    void httpDateParseAgreesWithJdk_whenOneCharacterIsWrong(
            @ForAll @LongRange(min = 0, max = 4_102_444_800L) long second,
            @ForAll @IntRange(max = 28) int at,
            @ForAll @CharRange(from = ' ', to = 'z') char wrong) {
        StringBuilder text = new StringBuilder(USUAL.format(Instant.ofEpochSecond(second)));
        text.setCharAt(at, wrong);
        assertThat(HttpDate.parse(text.toString())).isEqualTo(byLibrary(text.toString()));
    }

    @Example
    void httpDateParseAcceptsRfc1123VariantsAndRejectsISOFormat() {
        assertThat(HttpDate.parse("1 Jan 2026 01:00:00 +0100"))
                .contains(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(HttpDate.parse("Sat, 30 Feb 2026 00:00:00 GMT"))
                .isEqualTo(byLibrary("Sat, 30 Feb 2026 00:00:00 GMT"));
        assertThat(HttpDate.parse("")).isEmpty();
        assertThat(HttpDate.parse("2026-01-01T00:00:00Z")).isEmpty();
    }

    private static Optional<Instant> byLibrary(String text) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));
        } catch (DateTimeException malformed) {
            return Optional.empty();
        }
    }
}

package io.parterre.frontend.auth;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Moments in signatures: {@code st} and {@code se}. Source: docs/protocol.md 8.5. Stateless;
 * thread-safe.
 *
 * <p>Accepted forms: {@code YYYY-MM-DD}, which means the day's first moment; {@code
 * YYYY-MM-DDThh:mm} and {@code YYYY-MM-DDThh:mm:ss} followed by {@code Z} or an offset. Fractions
 * of up to seven digits, as in access policies, are accepted too.
 */
final class TokenTime {
    private static final Pattern FORM =
            Pattern.compile(
                    "(\\d{4}-\\d{2}-\\d{2})"
                            + "(?:T(\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,7})?)?)"
                            + "(Z|[+-]\\d{2}:\\d{2}))?");

    private TokenTime() {}

    /** Parses a moment; returns empty if the text has none of the forms or is no date. */
    static Optional<Instant> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        try {
            LocalDate date = LocalDate.parse(form.group(1));
            if (form.group(2) == null) {
                return Optional.of(date.atStartOfDay(ZoneOffset.UTC).toInstant());
            }
            LocalDateTime local = date.atTime(LocalTime.parse(form.group(2)));
            return Optional.of(OffsetDateTime.of(local, ZoneOffset.of(form.group(3))).toInstant());
        } catch (DateTimeException noDate) {
            return Optional.empty();
        }
    }
}

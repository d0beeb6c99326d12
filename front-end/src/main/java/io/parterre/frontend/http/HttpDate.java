package io.parterre.frontend.http;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The {@code Date} header's value, formatted once a second. Thread-safe. */
final class HttpDate {
    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private final InstantSource clock;
    private volatile Second last = new Second(Long.MIN_VALUE, "");

    private record Second(long epochSecond, String text) {}

    HttpDate(InstantSource clock) {
        this.clock = clock;
    }

    String now() {
        long second = Math.floorDiv(clock.millis(), 1_000L);
        Second seen = last;
        if (seen.epochSecond != second) {
            seen = new Second(second, FORM.format(Instant.ofEpochSecond(second)));
            last = seen;
        }
        return seen.text;
    }
}

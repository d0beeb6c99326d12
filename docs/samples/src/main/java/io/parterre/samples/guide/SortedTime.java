package io.parterre.samples.guide;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Times as text that sorts as they do: always of the same length, to 100 ns. {@code
 * Instant.toString} leaves out what is zero, so {@code 00.5Z} would come before {@code 00Z}.
 */
final class SortedTime {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private SortedTime() {}

    static String text(Instant at) {
        return FORMAT.format(at);
    }

    static Instant of(String text) {
        return Instant.parse(text);
    }
}

package io.parterre.chaos.workload;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An ETag and its time. Clients should not parse ETags. A checker may, because the protocol defines
 * their contents: {@code W/"datetime'2021-05-26T15%3A48%3A24.2507202Z'"}, the same instant as the
 * entity's Timestamp.
 */
record Version(String etag, Instant timestamp) {
    private static final Pattern ETAG = Pattern.compile("W/\"datetime'([^']+)'\"");

    static Version of(String etag) {
        Matcher matcher = ETAG.matcher(etag);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("etag: " + etag + " (expected: " + ETAG + ")");
        }
        return new Version(etag, Instant.parse(matcher.group(1).replace("%3A", ":")));
    }

    boolean isAfter(Version other) {
        return timestamp.isAfter(other.timestamp);
    }
}

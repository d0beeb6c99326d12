package io.parterre.directory;

import java.util.OptionalInt;

/**
 * Requests that an account wants logged. Stored and returned, without effect.
 *
 * @param retentionDays how long logs are kept; empty: for good
 */
public record LoggingProperties(
        boolean read, boolean write, boolean delete, OptionalInt retentionDays) {
    public static final LoggingProperties OFF =
            new LoggingProperties(false, false, false, OptionalInt.empty());
}

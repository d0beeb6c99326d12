package io.parterre.directory;

import java.util.OptionalInt;

/**
 * Which requests an account wants logged. Kept and told, not acted upon.
 *
 * @param retentionDays how long logs are kept; empty: for good
 */
public record LoggingProperties(
        boolean read, boolean write, boolean delete, OptionalInt retentionDays) {
    public static final LoggingProperties OFF =
            new LoggingProperties(false, false, false, OptionalInt.empty());
}

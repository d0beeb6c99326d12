package io.parterre.frontend.table;

import java.util.Locale;
import java.util.Optional;

/** Amount of metadata in an answer. Source: docs/protocol.md 2.3 and 4.4. */
public enum MetadataLevel {
    NONE("no"),
    MINIMAL("minimal"),
    FULL("full");

    private final String wireName;
    private final String contentType;

    MetadataLevel(String prefix) {
        this.wireName = prefix + "metadata";
        this.contentType = "application/json;odata=" + wireName + ";streaming=true;charset=utf-8";
    }

    /** Returns the exact {@code Content-Type} of answers. */
    public String contentType() {
        return contentType;
    }

    static Optional<MetadataLevel> ofWireName(String wireName) {
        String lower = wireName.toLowerCase(Locale.ROOT);
        for (MetadataLevel level : values()) {
            if (level.wireName.equals(lower)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}

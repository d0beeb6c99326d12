package io.parterre.quota;

import java.util.Optional;

/**
 * What one account or one table may ask. Absent: as much as it likes.
 *
 * @param requests calls
 * @param entities that they write or get
 */
public record Limit(Optional<Rate> requests, Optional<Rate> entities) {
    public static final Limit NONE = new Limit(Optional.empty(), Optional.empty());

    public boolean isNone() {
        return requests.isEmpty() && entities.isEmpty();
    }
}

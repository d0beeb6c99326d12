package io.parterre.quota;

import java.util.Optional;

/**
 * Quota of one account or one table. An absent rate means no limit. Immutable.
 *
 * @param requests rate of calls
 * @param entities rate of entities that the calls write or read
 */
public record Limit(Optional<Rate> requests, Optional<Rate> entities) {
    public static final Limit NONE = new Limit(Optional.empty(), Optional.empty());

    public boolean isNone() {
        return requests.isEmpty() && entities.isEmpty();
    }
}

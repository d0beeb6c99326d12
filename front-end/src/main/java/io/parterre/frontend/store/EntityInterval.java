package io.parterre.frontend.store;

import java.util.Optional;

/**
 * Part of a table in entity order; never empty.
 *
 * @param from first position inside
 * @param toExclusive first position after it; empty: to the end of the table
 */
public record EntityInterval(EntityPosition from, Optional<EntityPosition> toExclusive) {
    public static final EntityInterval ALL =
            new EntityInterval(EntityPosition.FIRST, Optional.empty());

    public EntityInterval {
        if (toExclusive.isPresent() && from.compareTo(toExclusive.get()) >= 0) {
            throw new IllegalArgumentException(
                    "from: " + from + " (expected: below " + toExclusive.get() + ")");
        }
    }
}

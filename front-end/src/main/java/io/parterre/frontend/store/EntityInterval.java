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

    /** The lower of two ends; empty, which is above all: neither has one. */
    public static <T extends Comparable<T>> Optional<T> lowerEnd(
            Optional<T> left, Optional<T> right) {
        if (left.isEmpty() || right.isEmpty()) {
            return left.isEmpty() ? right : left;
        }
        return left.get().compareTo(right.get()) <= 0 ? left : right;
    }

    public EntityInterval {
        if (toExclusive.isPresent() && from.compareTo(toExclusive.get()) >= 0) {
            throw new IllegalArgumentException(
                    "from: " + from + " (expected: below " + toExclusive.get() + ")");
        }
    }
}

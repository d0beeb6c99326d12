package io.parterre.frontend.store;

import java.util.Optional;

/**
 * A part of a table in entity order; never empty.
 *
 * @param from lower bound, inclusive
 * @param toExclusive upper bound, exclusive; empty: the end of the table
 */
public record EntityInterval(EntityPosition from, Optional<EntityPosition> toExclusive) {
    public static final EntityInterval ALL =
            new EntityInterval(EntityPosition.FIRST, Optional.empty());

    /**
     * Returns the lower of two upper bounds. An empty bound is above all others, so the result is
     * empty only if both are.
     */
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

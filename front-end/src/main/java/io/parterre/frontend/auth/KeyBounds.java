package io.parterre.frontend.auth;

import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of a table that a credential covers: {@code spk}, {@code srk}, {@code epk}, {@code erk}.
 * The part may be empty. Source: docs/protocol.md 8.5.
 *
 * @param from lower bound, inclusive
 * @param toExclusive upper bound, exclusive; empty: the end of the table
 */
public record KeyBounds(EntityPosition from, Optional<EntityPosition> toExclusive) {
    public static final KeyBounds ALL = new KeyBounds(EntityPosition.FIRST, Optional.empty());

    /**
     * Returns the bounds that a token names. An empty string stands for an absent field: a
     * signature does not distinguish the two, so we must not either.
     */
    static KeyBounds of(
            String startPartitionKey,
            String startRowKey,
            String endPartitionKey,
            String endRowKey) {
        EntityPosition from = new EntityPosition(startPartitionKey, startRowKey);
        if (!endRowKey.isEmpty()) {
            EntityPosition last = new EntityPosition(endPartitionKey, endRowKey);
            return new KeyBounds(from, Optional.of(last.next()));
        }
        return new KeyBounds(
                from,
                endPartitionKey.isEmpty()
                        ? Optional.empty()
                        : Optional.of(EntityPosition.endOf(endPartitionKey)));
    }

    public boolean contains(String partitionKey, String rowKey) {
        if (equals(ALL)) {
            return true;
        }
        EntityPosition position = new EntityPosition(partitionKey, rowKey);
        return from.compareTo(position) <= 0
                && toExclusive.map(to -> position.compareTo(to) < 0).orElse(true);
    }

    /** Returns the parts of these intervals that lie within the bounds. */
    public List<EntityInterval> clip(List<EntityInterval> intervals) {
        if (equals(ALL)) {
            return intervals;
        }
        List<EntityInterval> inside = new ArrayList<>();
        for (EntityInterval interval : intervals) {
            EntityPosition start = interval.from().compareTo(from) >= 0 ? interval.from() : from;
            Optional<EntityPosition> end =
                    EntityInterval.lowerEnd(interval.toExclusive(), toExclusive);
            if (end.map(to -> start.compareTo(to) < 0).orElse(true)) {
                inside.add(new EntityInterval(start, end));
            }
        }
        return inside;
    }
}

package io.parterre.frontend.auth;

import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of a table that a credential covers: {@code spk}, {@code srk}, {@code epk}, {@code erk}.
 * May cover nothing. Source: docs/protocol.md 8.5.
 *
 * @param from first position inside
 * @param toExclusive first position after it; empty: to the end of the table
 */
public record KeyBounds(EntityPosition from, Optional<EntityPosition> toExclusive) {
    public static final KeyBounds ALL = new KeyBounds(EntityPosition.FIRST, Optional.empty());

    /**
     * Bounds as a token names them, empty strings standing for what it leaves out: a signature does
     * not tell the two apart, so neither may we.
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

    /** What of these intervals lies inside. */
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

package io.parterre.frontend.client;

import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPosition;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.Scope;
import io.parterre.range.RangeDescriptor;
import java.util.List;

/**
 * The position of a page's next scan and how far that scan may go. Used by one thread at a time.
 */
final class IntervalWalk {
    private final Scope scope;
    private final List<EntityInterval> intervals;
    private final EntityPosition from;

    private int interval = -1;
    private Key next = Key.LAST;
    private Key endExclusive = Key.FIRST;

    /**
     * Creates a walk.
     *
     * @param intervals in key order, no two of them adjacent
     * @param from positions before this one are left out
     */
    IntervalWalk(Scope scope, List<EntityInterval> intervals, EntityPosition from) {
        this.scope = scope;
        this.intervals = intervals;
        this.from = from;
    }

    /** Goes to the next interval if the current one is read; returns false if there is none. */
    boolean hasMore() {
        while (next.compareTo(endExclusive) >= 0) {
            interval++;
            if (interval >= intervals.size()) {
                interval = intervals.size();
                return false;
            }
            EntityInterval at = intervals.get(interval);
            EntityPosition start = at.from().compareTo(from) >= 0 ? at.from() : from;
            next = EntityPositions.key(scope, start);
            endExclusive =
                    at.toExclusive()
                            .map(end -> EntityPositions.key(scope, end))
                            .orElseGet(() -> KeyCodec.scope(scope).afterPrefix());
        }
        return true;
    }

    /** Returns where the next scan starts. Valid after {@link #hasMore} has returned true. */
    Key next() {
        return next;
    }

    /** Returns where a scan of this range ends. */
    Key endWithin(RangeDescriptor range) {
        Key rangeEnd = range.bounds().endExclusive();
        return rangeEnd.compareTo(endExclusive) < 0 ? rangeEnd : endExclusive;
    }

    void goTo(Key key) {
        next = key;
    }

    /** Returns the start of the next scan as a position, for a continuation token. */
    EntityPosition position() {
        return EntityPositions.atOrAfter(scope, next);
    }
}

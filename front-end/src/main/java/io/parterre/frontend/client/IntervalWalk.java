package io.parterre.frontend.client;

import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPosition;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.Scope;
import io.parterre.range.RangeDescriptor;
import java.util.List;

/** Where the next scan of a page starts and how far it may go. One thread at a time. */
final class IntervalWalk {
    private final Scope scope;
    private final List<EntityInterval> intervals;
    private final EntityPosition from;

    private int interval = -1;
    private Key next = Key.LAST;
    private Key endExclusive = Key.FIRST;

    /**
     * A walk.
     *
     * @param intervals in the order of keys, none touching another
     * @param from what lies before it is left out
     */
    IntervalWalk(Scope scope, List<EntityInterval> intervals, EntityPosition from) {
        this.scope = scope;
        this.intervals = intervals;
        this.from = from;
    }

    /** Goes to the next interval if this one is read; false if there is none. */
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

    /** Where the next scan starts, once there is more. */
    Key next() {
        return next;
    }

    /** Where a scan of this range ends. */
    Key endWithin(RangeDescriptor range) {
        Key rangeEnd = range.bounds().endExclusive();
        return rangeEnd.compareTo(endExclusive) < 0 ? rangeEnd : endExclusive;
    }

    void goTo(Key key) {
        next = key;
    }

    /** The place of the next scan as a position, for a token. */
    EntityPosition position() {
        return EntityPositions.atOrAfter(scope, next);
    }
}

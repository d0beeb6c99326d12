package io.parterre.manager.plan.decide;

import io.parterre.manager.map.Split;
import io.parterre.manager.map.SplitReason;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Ranges that are too large and could not be split lately, such as a single partition. A retry
 * every few seconds would raise the range's generation each time and fail the same way. Known to
 * the leading manager alone. Immutable.
 */
public final class UnsplittableRanges {
    public static final UnsplittableRanges NONE = new UnsplittableRanges(Map.of());

    /** Backoff before the next attempt. */
    static final Duration LEFT_FOR = Duration.ofMinutes(10);

    private final Map<RangeId, Instant> since;

    private UnsplittableRanges(Map<RangeId, Instant> since) {
        this.since = since;
    }

    /** Returns these with a split that has ended and has not taken effect. */
    public UnsplittableRanges with(Split ended, Instant now) {
        if (ended.reason() != SplitReason.SIZE || ended.abandoned().isEmpty()) {
            return this;
        }
        Map<RangeId, Instant> more = new HashMap<>(since);
        more.values().removeIf(at -> !isLeft(at, now));
        more.put(ended.rangeId(), now);
        return new UnsplittableRanges(more);
    }

    /** Returns whether the range is not to be split for now. */
    boolean isLeft(RangeId rangeId, Instant now) {
        Instant at = since.get(rangeId);
        return at != null && isLeft(at, now);
    }

    private static boolean isLeft(Instant at, Instant now) {
        return at.plus(LEFT_FOR).isAfter(now);
    }
}

package io.parterre.server.change;

import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * When the repair of a replica is tried again after a failure: each failure doubles the wait. An
 * attempt may take seconds in which no order is carried out, and an attempt that failed for lack of
 * memory fails again. Not thread-safe.
 */
public final class RepairBackoff {
    static final Duration PAUSE_MIN = Duration.ofSeconds(2);
    static final Duration PAUSE_MAX = Duration.ofMinutes(2);

    private final Map<RangeId, Pause> pauses = new HashMap<>();

    private record Pause(long untilNanos, Duration length) {}

    public boolean isDue(RangeId rangeId, long nowNanos) {
        Pause pause = pauses.get(rangeId);
        return pause == null || nowNanos - pause.untilNanos() >= 0;
    }

    public void failed(RangeId rangeId, long nowNanos) {
        Pause last = pauses.get(rangeId);
        Duration length = last == null ? PAUSE_MIN : last.length().multipliedBy(2);
        if (length.compareTo(PAUSE_MAX) > 0) {
            length = PAUSE_MAX;
        }
        pauses.put(rangeId, new Pause(nowNanos + length.toNanos(), length));
    }

    /** Forgets replicas that are no longer on this node. */
    public void retain(Set<RangeId> here) {
        pauses.keySet().retainAll(here);
    }

    public void mended(RangeId rangeId) {
        pauses.remove(rangeId);
    }
}

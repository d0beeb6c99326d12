package io.parterre.server.change;

import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * When a replica that could not be mended is tried again: each failure doubles the wait. A try may
 * take seconds in which no order is carried out, and what has failed for lack of memory fails
 * again. Not safe for several threads.
 */
public final class MendPauses {
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

    /** Replicas that are not here any more are not mended. */
    public void retain(Set<RangeId> here) {
        pauses.keySet().retainAll(here);
    }

    public void mended(RangeId rangeId) {
        pauses.remove(rangeId);
    }
}

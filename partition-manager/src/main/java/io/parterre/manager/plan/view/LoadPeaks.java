package io.parterre.manager.plan.view;

import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The most that was asked of each range lately, of all its leaders. Soft state: a manager that
 * begins to lead knows nothing for as long as the window is. For one thread.
 */
public final class LoadPeaks {
    private final Map<RangeId, LoadPeak> byRange = new HashMap<>();

    /** What a node says of ranges that it leads. */
    public void heard(NodeReport report, Instant at) {
        for (NodeReport.Replica replica : report.replicas()) {
            if (replica.leading() && replica.load().isPresent()) {
                byRange.compute(
                        replica.rangeId(),
                        (rangeId, before) ->
                                LoadPeak.next(
                                        Optional.ofNullable(before),
                                        replica.load().get().wanted(),
                                        at));
            }
        }
    }

    /** Forgets what is of no use any more. */
    public void tidy(Instant now) {
        byRange.values().removeIf(peak -> !peak.isFresh(now));
    }

    /** All of them, as they are at any time. */
    public Map<RangeId, LoadPeak> byRange() {
        return Collections.unmodifiableMap(byRange);
    }

    public void clear() {
        byRange.clear();
    }
}

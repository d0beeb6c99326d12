package io.parterre.manager.plan.view;

import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The largest recent demand of each range, over all of its leaders. Soft state: a new leading
 * manager knows no peaks for the length of the window. Not thread-safe.
 */
public final class LoadPeaks {
    private final Map<RangeId, LoadPeak> byRange = new HashMap<>();

    /** Takes a node's report on the ranges that it leads. */
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

    /** Forgets peaks that are no longer fresh. */
    public void tidy(Instant now) {
        byRange.values().removeIf(peak -> !peak.isFresh(now));
    }

    /** Returns a live, unmodifiable view of the peaks. */
    public Map<RangeId, LoadPeak> byRange() {
        return Collections.unmodifiableMap(byRange);
    }

    public void clear() {
        byRange.clear();
    }
}

package io.parterre.manager.lead;

import io.parterre.manager.plan.view.LoadPeak;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The most that was asked of each range lately, of all its leaders. Soft state: a manager that
 * begins to lead knows nothing for as long as the window is. Owned by the loop's thread.
 */
final class LoadPeaks {
    private final Map<RangeId, LoadPeak> byRange = new HashMap<>();

    /** What a node says of ranges that it leads. */
    void heard(NodeReport report, Instant at) {
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
    void tidy(Instant now) {
        byRange.values().removeIf(peak -> !peak.isFresh(now));
    }

    /** All of them, as they are at any time. */
    Map<RangeId, LoadPeak> byRange() {
        return Collections.unmodifiableMap(byRange);
    }

    void clear() {
        byRange.clear();
    }
}

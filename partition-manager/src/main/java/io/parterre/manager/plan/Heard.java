package io.parterre.manager.plan;

import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A node's latest report.
 *
 * @param at when it came
 * @param missingSince ranges of the node's that it does not tell of, and since when it has not
 */
public record Heard(NodeReport report, Instant at, Map<RangeId, Instant> missingSince) {
    public Heard {
        missingSince = Map.copyOf(missingSince);
    }

    /**
     * With the next report. A replica that is missing may be about to start, so that only one
     * missing for a while counts as lost; in a new data folder there is nothing that could.
     *
     * @param expected ranges that the node is a member of
     * @param afresh whether the node's data folder is another one than before
     */
    public static Heard next(
            Optional<Heard> before,
            NodeReport report,
            Instant at,
            Collection<RangeId> expected,
            boolean afresh) {
        Map<RangeId, Instant> missing = new HashMap<>();
        for (RangeId rangeId : expected) {
            if (report.replica(rangeId).isEmpty()) {
                Instant since = before.map(last -> last.missingSince().get(rangeId)).orElse(at);
                missing.put(rangeId, afresh ? Instant.MIN : since);
            }
        }
        return new Heard(report, at, missing);
    }
}

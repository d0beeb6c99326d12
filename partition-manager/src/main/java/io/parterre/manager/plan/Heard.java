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
 * @param expected ranges of the node's when it came
 */
public record Heard(
        NodeReport report,
        Instant at,
        Map<RangeId, Instant> missingSince,
        Collection<RangeId> expected) {
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
        return new Heard(report, at, missing, expected);
    }

    /**
     * Whether it tells of all data of all ranges that the node is a member of, found without a look
     * at each: they have to be the very ones that it was compared to when it came.
     *
     * @param now ranges that the node is a member of
     */
    @SuppressWarnings("ReferenceEquality") // Equal ones may be compared by those who have time.
    boolean isWhole(Collection<RangeId> now) {
        return expected == now
                && missingSince.isEmpty()
                && !report.isAnyJoining()
                && !report.isAnyDamaged();
    }
}

package io.parterre.deploy.backup;

import io.parterre.entity.Ticks;
import io.parterre.proto.backup.RangeClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Up to when an archive has all of each range, by the word of the range's leader, which counts once
 * the archive has the entries of which the leader spoke. Pure; for one thread.
 */
final class ArchiveClaims {
    private final Map<Long, RangeClaim> claims = new HashMap<>();

    /**
     * Takes what nodes have told.
     *
     * @param reached last entries that the archive has
     */
    void hear(List<ArchivePlan.Told> told, Map<Long, Long> reached) {
        for (ArchivePlan.Told each : told) {
            Long position = reached.get(each.rangeId());
            if (each.completeTicks().isPresent()
                    && position != null
                    && position >= each.appliedIndex()) {
                claims.put(
                        each.rangeId(),
                        RangeClaim.newBuilder()
                                .setRangeId(each.rangeId())
                                .setIndex(each.appliedIndex())
                                .setCompleteTicks(each.completeTicks().getAsLong())
                                .build());
            }
        }
        claims.keySet().retainAll(reached.keySet());
    }

    /** Where the archive stands with each range, and up to when it has all of it. */
    List<RangeClaim> all(Map<Long, Long> reached) {
        List<RangeClaim> all = new ArrayList<>();
        new TreeMap<>(reached)
                .forEach(
                        (rangeId, index) -> {
                            RangeClaim known = claims.get(rangeId);
                            // Where it stands, without a time; what is complete is another thing.
                            if (known == null || known.getIndex() != index) {
                                all.add(
                                        RangeClaim.newBuilder()
                                                .setRangeId(rangeId)
                                                .setIndex(index)
                                                .build());
                            }
                            if (known != null) {
                                all.add(known);
                            }
                        });
        return all;
    }

    /** Up to when all of these ranges are there; 0: of one it is not known. */
    long completeMillis(Set<Long> live) {
        long earliest = Long.MAX_VALUE;
        for (Long each : live) {
            RangeClaim claim = claims.get(each);
            if (claim == null) {
                return 0;
            }
            earliest = Math.min(earliest, Ticks.toInstant(claim.getCompleteTicks()).toEpochMilli());
        }
        return live.isEmpty() ? 0 : earliest;
    }
}

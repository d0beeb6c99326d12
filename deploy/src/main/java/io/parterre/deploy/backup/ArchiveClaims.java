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
 * Up to when an archive has all changes of each range. The time is stated by the range's leader,
 * and counts once the archive has the entries that the leader had applied. Pure; confined to one
 * thread.
 */
final class ArchiveClaims {
    private final Map<Long, RangeClaim> claims = new HashMap<>();

    /**
     * Adds what nodes have told.
     *
     * @param reached last entry of each range in the archive
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

    /**
     * Returns for each range the archive's last entry, and up to when the archive has all changes.
     */
    List<RangeClaim> all(Map<Long, Long> reached) {
        List<RangeClaim> all = new ArrayList<>();
        new TreeMap<>(reached)
                .forEach(
                        (rangeId, index) -> {
                            RangeClaim known = claims.get(rangeId);
                            // Only the last entry, without a time: what is complete is known only
                            // for another entry.
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

    /**
     * Returns up to when the archive has all changes of these ranges; 0 if this is unknown for one
     * of them.
     */
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

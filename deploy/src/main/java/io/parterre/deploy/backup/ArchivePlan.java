package io.parterre.deploy.backup;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What an archive takes next: of each range the records after those that it has, from a node that
 * has them all. Where no node has, something is lost, which is said once all nodes have been heard;
 * the archive goes on after it, and the gap stays to be seen. Pure.
 *
 * @param reads what to read, in order of range ids
 * @param lost what no node has any more
 * @param positions where the archive stands with each range, those included that it begins to
 *     follow
 */
record ArchivePlan(List<Read> reads, List<Lost> lost, Map<Long, Long> positions) {
    ArchivePlan {
        reads = List.copyOf(reads);
        lost = List.copyOf(lost);
        positions = Map.copyOf(positions);
    }

    /**
     * What a node tells of a range.
     *
     * @param recordedAfter the node has recorded all entries after this one; empty: it does not
     *     know since when
     * @param appliedIndex the last entry that it has applied
     * @param completeTicks from the range's leader: every entry up to this time is among those
     */
    record Told(
            String nodeId,
            long rangeId,
            OptionalLong recordedAfter,
            long appliedIndex,
            OptionalLong completeTicks) {}

    /** Records of a range after an entry, from a node. */
    record Read(String nodeId, long rangeId, long afterIndex) {}

    /** Entries of a range after one, up to another, are nowhere. */
    record Lost(long rangeId, long afterIndex, long upToIndex) {}

    /**
     * A plan.
     *
     * @param positions of ranges, the last entry that the archive has
     * @param told by nodes
     * @param allHeard whether no node is left that may have more
     */
    static ArchivePlan of(Map<Long, Long> positions, List<Told> told, boolean allHeard) {
        TreeMap<Long, List<Told>> byRange = new TreeMap<>();
        for (Told each : told) {
            byRange.computeIfAbsent(each.rangeId(), id -> new ArrayList<>()).add(each);
        }
        List<Read> reads = new ArrayList<>();
        List<Lost> lost = new ArrayList<>();
        Map<Long, Long> next = new HashMap<>(positions);
        byRange.forEach(
                (rangeId, members) -> {
                    OptionalLong first =
                            members.stream()
                                    .filter(each -> each.recordedAfter().isPresent())
                                    .mapToLong(each -> each.recordedAfter().getAsLong())
                                    .min();
                    if (first.isEmpty()) {
                        return;
                    }
                    long position = next.computeIfAbsent(rangeId, id -> first.getAsLong());
                    if (first.getAsLong() > position && allHeard) {
                        lost.add(new Lost(rangeId, position, first.getAsLong()));
                        position = first.getAsLong();
                        next.put(rangeId, position);
                    }
                    long after = position;
                    source(members, after)
                            .ifPresent(from -> reads.add(new Read(from.nodeId(), rangeId, after)));
                });
        return new ArchivePlan(reads, lost, next);
    }

    /** The one that is furthest of those that have all; its leader, where several are. */
    private static Optional<Told> source(List<Told> members, long after) {
        return members.stream()
                .filter(each -> each.appliedIndex() > after)
                .filter(
                        each ->
                                each.recordedAfter().isPresent()
                                        && each.recordedAfter().getAsLong() <= after)
                .max(
                        Comparator.comparingLong(Told::appliedIndex)
                                .thenComparing(each -> each.completeTicks().isPresent()));
    }

    /** Ranges of the archive of which no node tells any more: all of them is archived. */
    static List<Long> ended(Map<Long, Long> positions, List<Told> told) {
        List<Long> ended = new ArrayList<>(positions.keySet());
        ended.removeAll(told.stream().map(Told::rangeId).toList());
        return ended;
    }
}

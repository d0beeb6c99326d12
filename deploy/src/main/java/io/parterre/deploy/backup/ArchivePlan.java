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
 * What an archive reads next: the records of each range after those that it has, from a node that
 * has them all. If no node has them, changes are lost, which is reported once all nodes have
 * answered. The archive then continues after the gap, which stays visible. Pure.
 *
 * @param reads what to read, in order of range ids
 * @param lost entries that no node has any more
 * @param positions last entry of each range in the archive, including ranges that it begins to
 *     follow
 */
record ArchivePlan(List<Read> reads, List<Lost> lost, Map<Long, Long> positions) {
    ArchivePlan {
        reads = List.copyOf(reads);
        lost = List.copyOf(lost);
        positions = Map.copyOf(positions);
    }

    /**
     * What a node tells about a range.
     *
     * @param recordedAfter the node has recorded all entries after this one; empty if it does not
     *     know
     * @param appliedIndex the last entry that the node has applied
     * @param completeTicks from the range's leader: every entry up to this time is among the
     *     applied ones
     */
    record Told(
            String nodeId,
            long rangeId,
            OptionalLong recordedAfter,
            long appliedIndex,
            OptionalLong completeTicks) {}

    /** Records of a range after an entry, to be read from a node. */
    record Read(String nodeId, long rangeId, long afterIndex) {}

    /** Entries of a range after one index, up to another, that no node has. */
    record Lost(long rangeId, long afterIndex, long upToIndex) {}

    /**
     * Makes a plan.
     *
     * @param positions last entry of each range in the archive
     * @param told what nodes have told
     * @param allHeard whether no other node may have more records
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

    /** Returns the most advanced node that has all records, preferring the leader among equals. */
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

    /**
     * Returns the archive's ranges about which no node tells any more, because all their changes
     * are archived.
     */
    static List<Long> ended(Map<Long, Long> positions, List<Told> told) {
        List<Long> ended = new ArrayList<>(positions.keySet());
        ended.removeAll(told.stream().map(Told::rangeId).toList());
        return ended;
    }
}

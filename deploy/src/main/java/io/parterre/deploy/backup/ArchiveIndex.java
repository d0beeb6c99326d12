package io.parterre.deploy.backup;

import io.parterre.proto.backup.ArchiveHead;
import io.parterre.proto.backup.ArchiveSection;
import io.parterre.proto.backup.RangeClaim;
import io.parterre.proto.backup.RangeEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The contents of an archive's parts, by range. The order in which parts were made does not matter,
 * nor do overlaps: only which log entries are there counts. Pure; immutable once built.
 */
final class ArchiveIndex {
    private static final Comparator<Section> BY_ENTRIES =
            Comparator.comparingLong((Section each) -> each.head().getAfterIndex())
                    .thenComparingLong(each -> each.head().getLastIndex());

    private final Map<Long, List<Section>> sections = new HashMap<>();
    private final Map<Long, List<RangeClaim>> claims = new HashMap<>();
    private final Map<Absorbed, Absorption> absorptions = new HashMap<>();

    /**
     * A section and its place.
     *
     * @param part name of the part of the archive
     * @param number number of the section in the part
     */
    record Section(String part, int number, ArchiveSection head) {
        boolean hasRecords() {
            return head.getFirstTicks() != 0 || head.getLastTicks() != 0;
        }
    }

    /** A range at the generation at which it was frozen. */
    private record Absorbed(long rangeId, long generation) {}

    /**
     * The range that has absorbed another one.
     *
     * @param index index of the merge's entry in the log of the absorbing range
     */
    record Absorption(long rangeId, long index, long ticks) {}

    /** Creates an index of these parts. */
    ArchiveIndex(Map<String, ArchiveHead> parts) {
        parts.forEach(this::add);
        sections.values().forEach(each -> each.sort(BY_ENTRIES));
    }

    private void add(String name, ArchiveHead part) {
        for (int i = 0; i < part.getSectionsCount(); i++) {
            Section section = new Section(name, i, part.getSections(i));
            long rangeId = section.head().getRangeId();
            sections.computeIfAbsent(rangeId, id -> new ArrayList<>()).add(section);
            for (RangeEvent event : section.head().getEventsList()) {
                if (event.hasAbsorbed()) {
                    absorptions.put(
                            new Absorbed(
                                    event.getAbsorbed().getRightId(),
                                    event.getAbsorbed().getGeneration()),
                            new Absorption(rangeId, event.getIndex(), event.getTicks()));
                }
            }
        }
        for (RangeClaim claim : part.getClaimsList()) {
            if (claim.getCompleteTicks() != 0) {
                claims.computeIfAbsent(claim.getRangeId(), id -> new ArrayList<>()).add(claim);
            }
        }
    }

    /**
     * Returns the fewest sections that follow each other without a gap after an entry. A section
     * may repeat the end of the one before.
     */
    List<Section> chain(long rangeId, long afterIndex) {
        List<Section> chain = new ArrayList<>();
        List<Section> all = sections.getOrDefault(rangeId, List.of());
        long reached = afterIndex;
        int at = 0;
        Optional<Section> furthest = Optional.empty();
        while (true) {
            for (; at < all.size() && all.get(at).head().getAfterIndex() <= reached; at++) {
                Section each = all.get(at);
                if (furthest.isEmpty()
                        || each.head().getLastIndex() > furthest.get().head().getLastIndex()) {
                    furthest = Optional.of(each);
                }
            }
            if (furthest.isEmpty() || furthest.get().head().getLastIndex() <= reached) {
                return chain;
            }
            chain.add(furthest.get());
            reached = furthest.get().head().getLastIndex();
        }
    }

    /** Returns the first section after a gap; empty if there is none. */
    Optional<Section> next(long rangeId, long afterIndex) {
        return sections.getOrDefault(rangeId, List.of()).stream()
                .filter(each -> each.head().getAfterIndex() > afterIndex)
                .findFirst();
    }

    /**
     * Returns the time up to which all entries are among those up to the index; {@code
     * Long.MIN_VALUE} if unknown.
     */
    long completeTicks(long rangeId, long upToIndex) {
        return claims.getOrDefault(rangeId, List.of()).stream()
                .filter(claim -> claim.getIndex() <= upToIndex)
                .mapToLong(RangeClaim::getCompleteTicks)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    /**
     * Returns which range absorbed the range that was frozen at this generation; empty if unknown.
     */
    Optional<Absorption> absorption(long rangeId, long generation) {
        return Optional.ofNullable(absorptions.get(new Absorbed(rangeId, generation)));
    }
}

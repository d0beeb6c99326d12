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
 * What parts of an archive hold, by ranges. The order in which parts were made, and whether some
 * hold the same, does not matter: what counts is which entries of which log are there. Pure;
 * immutable once built.
 */
final class ArchiveIndex {
    private static final Comparator<Section> BY_ENTRIES =
            Comparator.comparingLong((Section each) -> each.head().getAfterIndex())
                    .thenComparingLong(each -> each.head().getLastIndex());

    private final Map<Long, List<Section>> sections = new HashMap<>();
    private final Map<Long, List<RangeClaim>> claims = new HashMap<>();
    private final Map<Absorbed, Absorption> absorptions = new HashMap<>();

    /**
     * A section and where it is.
     *
     * @param part name of the part of the archive
     * @param number of the section in it
     */
    record Section(String part, int number, ArchiveSection head) {
        boolean hasRecords() {
            return head.getFirstTicks() != 0 || head.getLastTicks() != 0;
        }
    }

    /** A range as it was frozen. */
    private record Absorbed(long rangeId, long generation) {}

    /**
     * Which range has absorbed another one.
     *
     * @param index of the entry in the log of the range that has absorbed it
     */
    record Absorption(long rangeId, long index, long ticks) {}

    /** One of these parts. */
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
     * Sections that follow each other without a gap from an entry on, the fewest. A later one may
     * hold the end of the one before again.
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

    /** The first entry after a gap that is there again; empty: nothing is. */
    Optional<Section> next(long rangeId, long afterIndex) {
        return sections.getOrDefault(rangeId, List.of()).stream()
                .filter(each -> each.head().getAfterIndex() > afterIndex)
                .findFirst();
    }

    /** Every entry up to this time is among those up to the index; {@code Long.MIN_VALUE}: none. */
    long completeTicks(long rangeId, long upToIndex) {
        return claims.getOrDefault(rangeId, List.of()).stream()
                .filter(claim -> claim.getIndex() <= upToIndex)
                .mapToLong(RangeClaim::getCompleteTicks)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    /** What has absorbed a range that was frozen with this generation; empty: not known. */
    Optional<Absorption> absorption(long rangeId, long generation) {
        return Optional.ofNullable(absorptions.get(new Absorbed(rangeId, generation)));
    }
}

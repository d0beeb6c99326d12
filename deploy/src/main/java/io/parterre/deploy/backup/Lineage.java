package io.parterre.deploy.backup;

import io.parterre.entity.Ticks;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.RangeEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Follows keys from a range's log to those of its children, and of ranges that have absorbed it, up
 * to a time. Determines which entries an archive must have, and whether it has them. Of a log, all
 * entries up to the last one whose time is not later count; times decrease only where a clock was
 * set back. Pure.
 */
final class Lineage {
    private final ArchiveIndex index;
    private final long untilTicks;
    private final List<Stretch> stretches = new ArrayList<>();
    private final List<Hole> holes = new ArrayList<>();

    /**
     * Changes that the archive lacks, or does not know yet.
     *
     * @param knownTicks time up to which the archive has the keys' changes; {@code Long.MIN_VALUE}
     *     if not even the first entry is there
     */
    record Hole(long rangeId, KeyRange keys, long afterIndex, long knownTicks, boolean atEnd) {
        /** Returns a description for operators. */
        String words() {
            return "range "
                    + rangeId
                    + ", keys "
                    + keys.start()
                    + " to "
                    + keys.endExclusive()
                    + ": the archive lacks what came after entry "
                    + afterIndex
                    + (knownTicks > Ticks.MIN && knownTicks < Ticks.MAX
                            ? ", from " + Ticks.format(knownTicks) + " on"
                            : "")
                    + (atEnd ? "" : ", and goes on later");
        }
    }

    /**
     * Follows keys that were read as of an entry.
     *
     * @param untilTicks time up to which they are followed
     */
    static Lineage of(
            ArchiveIndex index, long rangeId, long afterIndex, KeyRange keys, long untilTicks) {
        Lineage lineage = new Lineage(index, untilTicks);
        lineage.follow(rangeId, afterIndex, keys);
        return lineage;
    }

    private Lineage(ArchiveIndex index, long untilTicks) {
        this.index = index;
        this.untilTicks = untilTicks;
    }

    /** Returns the needed entries, for each key in the order of its changes. */
    List<Stretch> stretches() {
        return List.copyOf(stretches);
    }

    /** Returns what is missing; empty if the archive has all changes of the keys. */
    List<Hole> holes() {
        return List.copyOf(holes);
    }

    /** Returns up to when the archive has everything, given what is missing. */
    static long knownTicks(List<Hole> holes) {
        return holes.stream().mapToLong(Hole::knownTicks).min().orElse(Long.MAX_VALUE);
    }

    private void follow(long rangeId, long from, KeyRange all) {
        List<ArchiveIndex.Section> chain = index.chain(rangeId, from);
        int whole = wholeSections(chain);
        KeyRange keys = all;
        long taken = from;
        Optional<RangeEvent> frozen = Optional.empty();
        for (RangeEvent event : events(chain, whole, from)) {
            if (event.hasChild()) {
                KeyRange childKeys = Intervals.of(event.getChild().getKeys());
                if (childKeys.overlaps(keys)) {
                    stretches.add(
                            new Stretch(keys, rangeId, chain, taken, event.getIndex(), whole));
                    taken = event.getIndex();
                    follow(
                            event.getChild().getChildId(),
                            event.getIndex(),
                            childKeys.intersection(keys));
                }
            } else if (event.hasBounds()) {
                frozen = event.getBounds().getFrozen() ? Optional.of(event) : Optional.empty();
                KeyRange bounds = Intervals.of(event.getBounds().getKeys());
                if (!bounds.overlaps(keys)) {
                    return;
                }
                keys = bounds.intersection(keys);
            }
        }
        stretches.add(new Stretch(keys, rangeId, chain, taken, Long.MAX_VALUE, whole));
        end(rangeId, from, keys, chain, frozen);
    }

    /** Returns the events of the range itself among the entries that count. */
    private List<RangeEvent> events(List<ArchiveIndex.Section> chain, int whole, long from) {
        List<RangeEvent> events = new ArrayList<>();
        long before = from;
        for (int i = 0; i < chain.size() && i <= whole; i++) {
            for (RangeEvent event : chain.get(i).head().getEventsList()) {
                if (event.getIndex() > before && (i < whole || event.getTicks() <= untilTicks)) {
                    events.add(event);
                }
            }
            before = chain.get(i).head().getLastIndex();
        }
        return events;
    }

    /**
     * Returns the number of sections before the last one with an entry that counts, or including
     * that one if all its entries count.
     */
    private int wholeSections(List<ArchiveIndex.Section> chain) {
        for (int i = chain.size() - 1; i >= 0; i--) {
            if (chain.get(i).hasRecords() && chain.get(i).head().getFirstTicks() <= untilTicks) {
                return chain.get(i).head().getLastTicks() <= untilTicks ? i + 1 : i;
            }
        }
        return 0;
    }

    private void end(
            long rangeId,
            long from,
            KeyRange keys,
            List<ArchiveIndex.Section> chain,
            Optional<RangeEvent> frozen) {
        long reached = chain.isEmpty() ? from : chain.get(chain.size() - 1).head().getLastIndex();
        long known = Math.max(lastTicks(chain) - 1, index.completeTicks(rangeId, reached));
        if (frozen.isPresent()) {
            Optional<ArchiveIndex.Absorption> absorbed =
                    index.absorption(rangeId, frozen.get().getBounds().getGeneration());
            if (absorbed.isPresent() && absorbed.get().ticks() <= untilTicks) {
                follow(absorbed.get().rangeId(), absorbed.get().index(), keys);
                return;
            }
            // Nothing changes a frozen range before it is absorbed.
            known =
                    absorbed.isPresent()
                            ? Long.MAX_VALUE
                            : Math.max(known, frozen.get().getTicks());
        }
        if (known < untilTicks) {
            holes.add(
                    new Hole(
                            rangeId, keys, reached, known, index.next(rangeId, reached).isEmpty()));
        }
    }

    /**
     * Returns the time of the last entry in the chain; every later entry has the same or a later
     * time.
     */
    private static long lastTicks(List<ArchiveIndex.Section> chain) {
        for (int i = chain.size() - 1; i >= 0; i--) {
            if (chain.get(i).hasRecords()) {
                return chain.get(i).head().getLastTicks();
            }
        }
        return Long.MIN_VALUE + 1;
    }
}

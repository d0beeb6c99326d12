package io.parterre.manager.map;

import java.util.Collection;
import org.pcollections.TreePMap;

/**
 * What was decided about the cluster, as far back as there is room. Immutable and cheap to add to;
 * the same on every manager.
 *
 * @param lastNumber entries that there ever were
 * @param bytes memory that the entries take, about
 */
public record Journal(TreePMap<Long, JournalEntry> byNumber, long lastNumber, long bytes) {
    /** Days of a cluster that is at rest, and of a busy one some hours. */
    public static final int COUNT_MAX = 20_000;

    public static final long BYTES_MAX = 8L << 20;

    static final Journal EMPTY = new Journal(TreePMap.empty(), 0, 0);

    /** With one more entry, and without the oldest ones if there is no room. */
    Journal plus(JournalEntry entry) {
        return restored(entry.numbered(lastNumber + 1));
    }

    /** With an entry that has its number, the highest so far. */
    Journal restored(JournalEntry entry) {
        TreePMap<Long, JournalEntry> entries = byNumber.plus(entry.number(), entry);
        long taken = bytes + entry.bytes();
        while (entries.size() > COUNT_MAX || taken > BYTES_MAX && entries.size() > 1) {
            JournalEntry oldest = entries.firstEntry().getValue();
            entries = entries.minus(oldest.number());
            taken -= oldest.bytes();
        }
        return new Journal(entries, entry.number(), taken);
    }

    /** Oldest first. */
    public Collection<JournalEntry> entries() {
        return byNumber.values();
    }
}

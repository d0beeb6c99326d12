package io.parterre.manager.map;

import java.util.Collection;
import org.pcollections.TreePMap;

/**
 * Decisions about the cluster, as far back as there is room. Immutable and cheap to extend; the
 * same on every manager.
 *
 * @param lastNumber number of the latest entry, which counts all entries ever written
 * @param bytes approximate memory of the entries
 */
public record Journal(TreePMap<Long, JournalEntry> byNumber, long lastNumber, long bytes) {
    /** Lasts for days in a cluster at rest, and for some hours in a busy one. */
    public static final int COUNT_MAX = 20_000;

    public static final long BYTES_MAX = 8L << 20;

    static final Journal EMPTY = new Journal(TreePMap.empty(), 0, 0);

    /** Returns the journal with one more entry, without the oldest ones beyond the bounds. */
    Journal plus(JournalEntry entry) {
        return restored(entry.numbered(lastNumber + 1));
    }

    /** Returns the journal with an entry that already has its number, the highest so far. */
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

    /** Returns the entries, oldest first. */
    public Collection<JournalEntry> entries() {
        return byNumber.values();
    }
}

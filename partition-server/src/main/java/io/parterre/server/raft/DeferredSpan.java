package io.parterre.server.raft;

import io.parterre.server.propose.ProposedEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The deferred entries of a log and their proposals. Not thread-safe: guarded by the monitor of
 * {@link DeferredEntries}.
 */
final class DeferredSpan {
    private static final long NONE = -1;

    private final Map<Long, ProposedEntry> proposed = new HashMap<>();
    private long nextIndex;
    private long lastIndex = NONE;

    /** Begins with an entry, or begins again with an entry that was deferred before. */
    void begin(long index, Optional<ProposedEntry> own) {
        nextIndex = index;
        hold(index, own);
        lastIndex = Math.max(lastIndex, index);
    }

    /** Defers the entry after the last one as well. */
    void add(long index, Optional<ProposedEntry> own) {
        hold(index, own);
        lastIndex = index;
    }

    private void hold(long index, Optional<ProposedEntry> own) {
        own.ifPresent(
                entry -> {
                    entry.defer();
                    proposed.put(index, entry);
                });
    }

    /** Returns the index of the first entry that is not applied. */
    long next() {
        return nextIndex;
    }

    /**
     * Returns that entry as proposed by this replica while it led; empty if another member proposed
     * it.
     */
    Optional<ProposedEntry> proposedNext() {
        return Optional.ofNullable(proposed.get(nextIndex));
    }

    /** Notes that this entry is applied. */
    void pass() {
        proposed.remove(nextIndex);
        nextIndex++;
    }

    /** Whether all deferred entries are applied. */
    boolean isPassed() {
        return nextIndex > lastIndex;
    }

    /** Forgets all deferred entries; proposers of the rest wait no longer. */
    void clear() {
        lastIndex = NONE;
        proposed.values().forEach(ProposedEntry::settle);
        proposed.clear();
    }
}

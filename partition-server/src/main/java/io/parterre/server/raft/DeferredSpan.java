package io.parterre.server.raft;

import io.parterre.server.propose.ProposedEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which entries of a log are deferred, and who proposed them. Not thread-safe: guarded by the
 * monitor of {@link DeferredEntries}.
 */
final class DeferredSpan {
    private static final long NONE = -1;

    private final Map<Long, ProposedEntry> proposed = new HashMap<>();
    private long nextIndex;
    private long lastIndex = NONE;

    /** Begins with an entry, or begins again with one that was deferred before. */
    void begin(long index, Optional<ProposedEntry> own) {
        nextIndex = index;
        hold(index, own);
        lastIndex = Math.max(lastIndex, index);
    }

    /** The entry after the last one is deferred as well. */
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

    /** Index of the first entry that is not applied. */
    long next() {
        return nextIndex;
    }

    /** That entry as proposed by this replica while it led; empty: another member led. */
    Optional<ProposedEntry> proposedNext() {
        return Optional.ofNullable(proposed.get(nextIndex));
    }

    /** That entry is applied. */
    void pass() {
        proposed.remove(nextIndex);
        nextIndex++;
    }

    /** Whether all that was deferred is applied. */
    boolean isPassed() {
        return nextIndex > lastIndex;
    }

    /** Nothing is deferred any more: who proposed what is left waits no longer. */
    void clear() {
        lastIndex = NONE;
        proposed.values().forEach(ProposedEntry::settle);
        proposed.clear();
    }
}

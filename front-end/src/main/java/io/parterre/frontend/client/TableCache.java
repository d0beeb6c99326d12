package io.parterre.frontend.client;

import io.parterre.directory.TableRecord;
import io.parterre.key.AccountId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tables by account and name in lower case, as last read. The cache has two generations of half the
 * size each: an entry that is used moves to the younger one, and the older one is dropped whole
 * when the younger is full. An access policy takes as much memory as a table without policies, so
 * each counts as one. Thread-safe.
 */
final class TableCache {
    private final int generationMax;
    private volatile Generation young = new Generation();
    private volatile Generation old = new Generation();

    /** A table's name, in lower case, in its account. */
    record Name(AccountId accountId, String lowerCase) {}

    /**
     * A table as it was read.
     *
     * @param readAtNanos monotonic time at which the read began, so that the entry is not older
     *     than stated
     */
    record Entry(TableRecord table, long readAtNanos) {
        int weight() {
            return 1 + table.policies().size();
        }
    }

    private static final class Generation {
        private final Map<Name, Entry> entries = new ConcurrentHashMap<>();
        private final AtomicInteger weight = new AtomicInteger();

        /** Keeps the entry whose read began later, whichever answer arrived first. */
        void put(Name name, Entry given) {
            entries.compute(
                    name,
                    (same, there) -> {
                        boolean later =
                                there == null || given.readAtNanos() - there.readAtNanos() >= 0;
                        Entry kept = later ? given : there;
                        weight.addAndGet(kept.weight() - (there == null ? 0 : there.weight()));
                        return kept;
                    });
        }

        void remove(Name name) {
            entries.computeIfPresent(
                    name,
                    (same, there) -> {
                        weight.addAndGet(-there.weight());
                        return null;
                    });
        }
    }

    TableCache(int tablesMax) {
        this.generationMax = Math.max(1, tablesMax / 2);
    }

    Optional<Entry> get(Name name) {
        Entry entry = young.entries.get(name);
        if (entry == null) {
            entry = old.entries.get(name);
            if (entry != null) {
                put(name, entry);
            }
        }
        return Optional.ofNullable(entry);
    }

    /** Keeps the entry whose read began later, whichever answer arrived first. */
    void put(Name name, Entry entry) {
        if (isFull(young) && !young.entries.containsKey(name)) {
            turn();
        }
        young.put(name, entry);
    }

    private boolean isFull(Generation generation) {
        return generation.weight.get() >= generationMax;
    }

    private synchronized void turn() {
        if (isFull(young)) {
            old = young;
            young = new Generation();
        }
    }

    void remove(Name name) {
        young.remove(name);
        old.remove(name);
    }

    int size() {
        return young.entries.size() + old.entries.size();
    }
}

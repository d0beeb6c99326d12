package io.parterre.frontend.client;

import io.parterre.directory.TableRecord;
import io.parterre.key.AccountId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tables by account and name in lower case, as they were last read. Two generations of half the
 * size each: what is used moves to the younger, the older is dropped whole when the younger is
 * full. Safe for any thread.
 */
final class TableCache {
    private final int generationMax;
    private volatile Map<Name, Entry> young = new ConcurrentHashMap<>();
    private volatile Map<Name, Entry> old = Map.of();

    /** A table's name, in lower case, in its account. */
    record Name(AccountId accountId, String lowerCase) {}

    /**
     * A table as it was read.
     *
     * @param readAtNanos when the reading began, so that it cannot be older than it says
     */
    record Entry(TableRecord table, long readAtNanos) {}

    TableCache(int tablesMax) {
        this.generationMax = Math.max(1, tablesMax / 2);
    }

    Optional<Entry> get(Name name) {
        Entry entry = young.get(name);
        if (entry == null) {
            entry = old.get(name);
            if (entry != null) {
                put(name, entry);
            }
        }
        return Optional.ofNullable(entry);
    }

    /** Keeps what was read later, whichever answer came first. */
    void put(Name name, Entry entry) {
        if (young.size() >= generationMax && !young.containsKey(name)) {
            turn();
        }
        young.merge(
                name,
                entry,
                (there, given) -> given.readAtNanos() - there.readAtNanos() >= 0 ? given : there);
    }

    private synchronized void turn() {
        if (young.size() >= generationMax) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
    }

    void remove(Name name) {
        young.remove(name);
        Map<Name, Entry> older = old;
        if (older.containsKey(name)) {
            older.remove(name);
        }
    }

    int size() {
        return young.size() + old.size();
    }
}

package io.parterre.manager.lead;

import io.parterre.manager.map.MapDelta;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The latest changes of the map, within a bound on their size, so that a watcher that is a little
 * behind does not need the whole map. Thread-safe.
 */
public final class DeltaLog {
    private final ArrayDeque<MapDelta> deltas = new ArrayDeque<>();
    private final int sizeMax;
    private int size;
    private long lastVersion;

    /**
     * Creates an empty log.
     *
     * @param sizeMax upper bound on the sum of the kept changes' sizes
     */
    public DeltaLog(int sizeMax) {
        this.sizeMax = sizeMax;
    }

    /** Forgets all changes. The map is now at this version. */
    public synchronized void reset(long version) {
        deltas.clear();
        size = 0;
        lastVersion = version;
    }

    /**
     * Keeps the next change and drops the oldest ones beyond the bound.
     *
     * @throws IllegalArgumentException if the change does not follow the last version
     */
    public synchronized void append(MapDelta delta) {
        if (delta.version() != lastVersion + 1) {
            throw new IllegalArgumentException(
                    "version: " + delta.version() + " (expected: " + (lastVersion + 1) + ")");
        }
        deltas.addLast(delta);
        size += delta.size();
        lastVersion = delta.version();
        while (size > sizeMax) {
            size -= deltas.removeFirst().size();
        }
    }

    /** Returns all changes after the version, oldest first; empty if some of them are forgotten. */
    synchronized Optional<List<MapDelta>> since(long version) {
        if (version >= lastVersion) {
            return Optional.of(List.of());
        }
        if (lastVersion - version > deltas.size()) {
            return Optional.empty();
        }
        List<MapDelta> later = new ArrayList<>();
        Iterator<MapDelta> newestFirst = deltas.descendingIterator();
        for (long left = lastVersion - version; left > 0; left--) {
            later.add(0, newestFirst.next());
        }
        return Optional.of(later);
    }
}

package io.parterre.manager.lead;

import io.parterre.manager.map.MapDelta;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The latest changes of the map, as many as fit, so that watchers a little behind need not get the
 * whole map. Safe for any thread.
 */
public final class DeltaLog {
    private final ArrayDeque<MapDelta> deltas = new ArrayDeque<>();
    private final int sizeMax;
    private int size;
    private long lastVersion;

    /**
     * An empty log.
     *
     * @param sizeMax how many things the kept changes may name in all
     */
    public DeltaLog(int sizeMax) {
        this.sizeMax = sizeMax;
    }

    /** Forgets everything: the map is now at this version. */
    public synchronized void reset(long version) {
        deltas.clear();
        size = 0;
        lastVersion = version;
    }

    /** Keeps the next change and drops the oldest that no longer fit. */
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

    /** All changes after the version, in order; nothing if some of them are forgotten. */
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

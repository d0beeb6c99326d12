package io.parterre.simulator;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Sizes of partitions, and where a leader would split by them. Immutable. */
public final class SimRows {
    private final NavigableMap<Key, Long> byPartition;

    public SimRows(NavigableMap<Key, Long> byPartition) {
        this.byPartition = new TreeMap<>(byPartition);
    }

    long bytes(KeyRange bounds) {
        return inside(bounds).values().stream().mapToLong(each -> each).sum();
    }

    private NavigableMap<Key, Long> inside(KeyRange bounds) {
        return byPartition.subMap(bounds.start(), true, bounds.endExclusive(), false);
    }

    /**
     * Returns split points at the beginning of partitions; fewer than asked for if there are too
     * few partitions.
     */
    List<Key> splitPoints(KeyRange bounds, int parts) {
        long total = bytes(bounds);
        List<Key> splitPoints = new ArrayList<>();
        long before = 0;
        for (NavigableMap.Entry<Key, Long> each : inside(bounds).entrySet()) {
            boolean due = before + each.getValue() / 2 >= total / parts * (splitPoints.size() + 1);
            if (before > 0 && due && splitPoints.size() < parts - 1) {
                splitPoints.add(each.getKey());
            }
            before += each.getValue();
        }
        return splitPoints;
    }
}

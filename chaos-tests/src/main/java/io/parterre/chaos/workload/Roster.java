package io.parterre.chaos.workload;

import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.Write;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Which entities certainly exist, and which certainly do not, at any moment while they are written.
 * An entity exists from the acknowledgement of its insert until its delete is sent, and is gone
 * from the acknowledgement of the delete; in between either is correct. Keys are used once.
 * Thread-safe.
 */
public final class Roster {
    private final NavigableSet<EntityId> there = new ConcurrentSkipListSet<>();
    private final Map<EntityId, Long> gone = new ConcurrentHashMap<>();
    private final AtomicLong moments = new AtomicLong();

    /** To be called before the write is sent. */
    void sending(Write write) {
        for (Change change : write.changes()) {
            if (change instanceof Change.Delete) {
                there.remove(write.idOf(change));
            }
        }
    }

    /** To be called after the write was acknowledged. */
    void acknowledged(Write write) {
        for (Change change : write.changes()) {
            if (change instanceof Change.Insert) {
                there.add(write.idOf(change));
            } else if (change instanceof Change.Delete) {
                gone.put(write.idOf(change), moments.incrementAndGet());
            }
        }
    }

    /** Returns the present moment, for {@link #wasGoneAt}. */
    long moment() {
        return moments.get();
    }

    /**
     * Returns a copy of the entities that certainly exist. Copies one by one, because a copy of the
     * whole set would rely on its size.
     */
    Set<EntityId> there() {
        return there.stream().collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns whether the entity certainly exists. */
    public boolean isThere(EntityId id) {
        return there.contains(id);
    }

    /** Returns whether the entity's deletion had been acknowledged by this moment. */
    boolean wasGoneAt(EntityId id, long moment) {
        return gone.getOrDefault(id, Long.MAX_VALUE) <= moment;
    }

    /** Returns the partitions that have entities, in their order. */
    public NavigableSet<String> partitions() {
        return there.stream()
                .map(EntityId::partition)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns one entity of each partition that has one. */
    public Set<EntityId> oneOfEachPartition() {
        return partitions().stream()
                .map(partition -> there.ceiling(new EntityId(partition, "0")))
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

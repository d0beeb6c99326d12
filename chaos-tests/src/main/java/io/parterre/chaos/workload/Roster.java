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
 * Which entities are surely there, and which surely are not, at any moment while they are written.
 * An entity is there from the acknowledgement of its insert until its delete is sent, and is gone
 * from the acknowledgement of that; in between either is right. Keys are used once. Safe for any
 * thread.
 */
public final class Roster {
    private final NavigableSet<EntityId> there = new ConcurrentSkipListSet<>();
    private final Map<EntityId, Long> gone = new ConcurrentHashMap<>();
    private final AtomicLong moments = new AtomicLong();

    /** Before the write is sent. */
    void sending(Write write) {
        for (Change change : write.changes()) {
            if (change instanceof Change.Delete) {
                there.remove(write.idOf(change));
            }
        }
    }

    /** After it was acknowledged. */
    void acknowledged(Write write) {
        for (Change change : write.changes()) {
            if (change instanceof Change.Insert) {
                there.add(write.idOf(change));
            } else if (change instanceof Change.Delete) {
                gone.put(write.idOf(change), moments.incrementAndGet());
            }
        }
    }

    /** The present moment, for {@link #wasGoneAt}. */
    long moment() {
        return moments.get();
    }

    /** A copy of what is surely there; one by one, since a copy as a whole trusts the size. */
    Set<EntityId> there() {
        return there.stream().collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether it surely is there. */
    public boolean isThere(EntityId id) {
        return there.contains(id);
    }

    /** Whether it had been deleted, and the writer told so, by that moment. */
    boolean wasGoneAt(EntityId id, long moment) {
        return gone.getOrDefault(id, Long.MAX_VALUE) <= moment;
    }

    /** Partitions that have entities, in their order. */
    public NavigableSet<String> partitions() {
        return there.stream()
                .map(EntityId::partition)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Some entity of each partition that has one. */
    public Set<EntityId> oneOfEachPartition() {
        return partitions().stream()
                .map(partition -> there.ceiling(new EntityId(partition, "0")))
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

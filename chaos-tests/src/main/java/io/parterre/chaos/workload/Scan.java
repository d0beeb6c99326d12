package io.parterre.chaos.workload;

import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.StoredEntity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What one walk through a table, or some partitions of it, may see while it is written: everything
 * that existed when it began and exists when it ends, nothing that was gone when it began, and each
 * entity once, in order. Confined to one thread.
 */
final class Scan {
    private static final int MISSED_SHOWN = 5;

    private final Roster roster;
    private final String firstPartition;
    private final String endPartition;
    private final Set<EntityId> expected;
    private final long begun;
    private final Set<EntityId> seen = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private EntityId last;

    /**
     * Begins a walk, before the first page is requested.
     *
     * @param firstPartition first requested partition
     * @param endPartition first partition after the requested ones
     */
    Scan(Roster roster, String firstPartition, String endPartition) {
        this.roster = roster;
        this.firstPartition = firstPartition;
        this.endPartition = endPartition;
        this.begun = roster.moment();
        this.expected = roster.there();
        expected.removeIf(id -> !isAskedFor(id));
    }

    private boolean isAskedFor(EntityId id) {
        return id.partition().compareTo(firstPartition) >= 0
                && id.partition().compareTo(endPartition) < 0;
    }

    void see(StoredEntity entity) {
        EntityId id = entity.id();
        if (last != null && last.compareTo(id) >= 0) {
            violations.add(id + (last.equals(id) ? ": seen twice" : ": seen after " + last));
        }
        if (!isAskedFor(id)) {
            violations.add(id + ": not asked for");
        }
        if (roster.wasGoneAt(id, begun)) {
            violations.add(id + ": seen, but was deleted before");
        }
        if (!entity.intact()) {
            violations.add(id + ": has properties of another version, found " + entity);
        }
        last = id;
        seen.add(id);
    }

    /** Ends the walk after the last page. Returns what is wrong. */
    List<String> end() {
        List<EntityId> missed =
                expected.stream().filter(id -> !seen.contains(id) && roster.isThere(id)).toList();
        if (!missed.isEmpty()) {
            violations.add(
                    missed.size()
                            + " entities missed of "
                            + expected.size()
                            + ", the first: "
                            + missed.subList(0, Math.min(MISSED_SHOWN, missed.size())));
        }
        return List.copyOf(violations);
    }
}

package io.parterre.chaos.workload;

import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one writer knows of the entities that it owns: the acknowledged state of each, the writes of
 * unknown outcome, and everything that contradicted either. No two writes in doubt may touch the
 * same entity. Not thread-safe: used by its writer, and by the verification after the writer has
 * ended.
 */
public final class Ledger {
    /** The state in which an entity must be found. */
    record Known(long value, Version version) {}

    private final String owner;
    private final Map<String, NavigableMap<String, Known>> live = new TreeMap<>();
    private final Set<EntityId> deleted = new HashSet<>();
    private final Set<EntityId> touched = new HashSet<>();
    private final List<Write> inDoubt = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    /**
     * @param owner prefix of the partitions that only this writer writes to
     */
    Ledger(String owner) {
        this.owner = owner;
    }

    String owner() {
        return owner;
    }

    /** Returns the live entities of a partition by row key, as an unmodifiable view. */
    NavigableMap<String, Known> liveIn(String partition) {
        return Collections.unmodifiableNavigableMap(
                live.getOrDefault(partition, Collections.emptyNavigableMap()));
    }

    /** Records that the write happened and gave its entities these ETags. */
    void acknowledge(Write write, List<Optional<String>> etags) {
        for (int i = 0; i < write.changes().size(); i++) {
            Change change = write.changes().get(i);
            EntityId id = write.idOf(change);
            if (change instanceof Change.Delete) {
                remove(id);
            } else if (etags.get(i).isEmpty()) {
                violations.add(id + ": acknowledged without an ETag");
            } else {
                put(id, valueOf(change), Version.of(etags.get(i).get()));
            }
        }
    }

    /** Records that the write may or may not have happened. */
    void doubt(Write write) {
        inDoubt.add(write);
        write.changes().forEach(change -> touched.add(write.idOf(change)));
    }

    /** Records a violation, which no correct server causes. */
    void violate(String what) {
        violations.add(what);
    }

    /**
     * Compares with what is stored now. What is found settles writes in doubt, and counts as their
     * outcome from now on.
     *
     * @param stored all entities of the table, those of other writers included
     */
    void compareWith(SortedMap<EntityId, StoredEntity> stored) {
        for (Write write : inDoubt) {
            settle(write, stored);
        }
        inDoubt.clear();
        live.forEach(
                (partition, rows) ->
                        rows.forEach(
                                (row, known) -> {
                                    EntityId id = new EntityId(partition, row);
                                    compare(id, known, stored.get(id));
                                }));
        // Prefixes end in '-', and '.' is its successor.
        String end = owner.substring(0, owner.length() - 1) + '.';
        for (EntityId id : stored.keySet()) {
            boolean mine =
                    id.partition().compareTo(owner) >= 0 && id.partition().compareTo(end) < 0;
            if (mine && known(id).isEmpty()) {
                violations.add(
                        id
                                + (deleted.contains(id)
                                        ? ": deleted, but there"
                                        : ": there, but never written"));
            }
        }
    }

    /** Returns the entities written to since the last call, whatever the outcome. */
    Set<EntityId> takeTouched() {
        Set<EntityId> taken = Set.copyOf(touched);
        touched.clear();
        return taken;
    }

    /** Returns every entity ever written, deleted ones included. */
    Set<EntityId> all() {
        Set<EntityId> all = new HashSet<>(deleted);
        live.forEach(
                (partition, rows) ->
                        rows.keySet().forEach(row -> all.add(new EntityId(partition, row))));
        return all;
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    private void settle(Write write, SortedMap<EntityId, StoredEntity> stored) {
        int happened = 0;
        for (Change change : write.changes()) {
            EntityId id = write.idOf(change);
            Optional<StoredEntity> found = Optional.ofNullable(stored.get(id));
            if (change instanceof Change.Delete
                    ? found.isEmpty()
                    : found.isPresent() && found.get().value() == valueOf(change)) {
                happened++;
            }
        }
        if (happened != 0 && happened != write.changes().size()) {
            violations.add(
                    "batch in doubt half there: "
                            + happened
                            + " of "
                            + write.changes().size()
                            + " "
                            + write);
        }
        if (happened == write.changes().size()) {
            for (Change change : write.changes()) {
                EntityId id = write.idOf(change);
                if (change instanceof Change.Delete) {
                    remove(id);
                } else {
                    put(id, valueOf(change), Version.of(stored.get(id).etag()));
                }
            }
        } else {
            // An insert that did not happen must not appear later either.
            write.changes().stream()
                    .filter(Change.Insert.class::isInstance)
                    .forEach(insert -> deleted.add(write.idOf(insert)));
        }
    }

    private void compare(EntityId id, Known known, StoredEntity found) {
        if (found == null) {
            violations.add(id + ": lost, was acknowledged or seen as " + known);
        } else if (found.value() != known.value() || !found.etag().equals(known.version().etag())) {
            violations.add(id + ": found " + found + ", was acknowledged or seen as " + known);
        } else if (!found.intact()) {
            violations.add(id + ": has properties of another version, found " + found);
        } else if (!found.timestamp().equals(known.version().timestamp())) {
            violations.add(id + ": Timestamp and ETag differ, found " + found);
        }
    }

    private void put(EntityId id, long value, Version version) {
        touched.add(id);
        known(id)
                .filter(old -> !version.isAfter(old.version()))
                .ifPresent(
                        old ->
                                violations.add(
                                        id + ": version went from " + old + " to " + version));
        live.computeIfAbsent(id.partition(), partition -> new TreeMap<>())
                .put(id.row(), new Known(value, version));
    }

    private void remove(EntityId id) {
        touched.add(id);
        deleted.add(id);
        live.getOrDefault(id.partition(), new TreeMap<>()).remove(id.row());
    }

    private Optional<Known> known(EntityId id) {
        return Optional.ofNullable(liveIn(id.partition()).get(id.row()));
    }

    private static long valueOf(Change change) {
        return change instanceof Change.Insert insert
                ? insert.value()
                : ((Change.Update) change).value();
    }
}

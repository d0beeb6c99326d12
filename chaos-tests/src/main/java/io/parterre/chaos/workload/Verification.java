package io.parterre.chaos.workload;

import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.TableConnection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads a table in full and compares it with the writers' ledgers. The writers must have ended, and
 * none of their writes may still be in flight.
 */
public final class Verification {
    private final TableConnection connection;
    private final Writers writers;

    public Verification(TableConnection connection, Writers writers) {
        this.connection = connection;
        this.writers = writers;
    }

    /**
     * Verifies the table, with point reads of what was written since the last verification. Returns
     * what is wrong.
     */
    public List<String> ofRecentWrites() {
        Set<EntityId> recent = new TreeSet<>();
        writers.ledgers().forEach(ledger -> recent.addAll(ledger.takeTouched()));
        return verify(recent);
    }

    /** Verifies the table, with point reads of every entity ever written. Returns what is wrong. */
    public List<String> ofEverything() {
        Set<EntityId> all = new TreeSet<>();
        writers.ledgers()
                .forEach(
                        ledger -> {
                            all.addAll(ledger.takeTouched());
                            all.addAll(ledger.all());
                        });
        return verify(all);
    }

    private List<String> verify(Set<EntityId> pointReads) {
        List<String> violations = new ArrayList<>();
        SortedMap<EntityId, StoredEntity> scanned = scan(violations);
        violations.addAll(compareByPointReads(pointReads, scanned));
        for (Ledger ledger : writers.ledgers()) {
            ledger.compareWith(scanned);
            violations.addAll(ledger.violations());
        }
        return violations;
    }

    private SortedMap<EntityId, StoredEntity> scan(List<String> violations) {
        SortedMap<EntityId, StoredEntity> scanned = new TreeMap<>();
        connection.scan(
                writers.table(),
                entity -> {
                    if (!scanned.isEmpty() && scanned.lastKey().compareTo(entity.id()) >= 0) {
                        violations.add(entity.id() + ": listed after " + scanned.lastKey());
                    }
                    scanned.put(entity.id(), entity);
                });
        return scanned;
    }

    private List<String> compareByPointReads(
            Collection<EntityId> ids, SortedMap<EntityId, StoredEntity> scanned) {
        return ids.parallelStream()
                .filter(id -> !connection.read(writers.table(), id).equals(found(scanned, id)))
                .map(id -> id + ": point read and query differ, query found " + found(scanned, id))
                .toList();
    }

    private static Optional<StoredEntity> found(
            SortedMap<EntityId, StoredEntity> scanned, EntityId id) {
        return Optional.ofNullable(scanned.get(id));
    }
}

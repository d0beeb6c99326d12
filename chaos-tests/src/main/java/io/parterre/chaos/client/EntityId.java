package io.parterre.chaos.client;

import java.util.Comparator;

/**
 * Keys of an entity, in the order in which queries return them. Only letters, digits and hyphens
 * are allowed: they need no escape in a path, a filter or a batch, so that a failure is never one
 * of escaping.
 */
public record EntityId(String partition, String row) implements Comparable<EntityId> {
    private static final Comparator<EntityId> ORDER =
            Comparator.comparing(EntityId::partition).thenComparing(EntityId::row);

    public EntityId {
        requirePlain(partition);
        requirePlain(row);
    }

    @Override
    public int compareTo(EntityId other) {
        return ORDER.compare(this, other);
    }

    private static void requirePlain(String key) {
        if (!key.matches("[A-Za-z0-9-]+")) {
            throw new IllegalArgumentException("key: " + key + " (expected: letters, digits, '-')");
        }
    }
}

package io.parterre.chaos.client;

import java.util.List;

/**
 * Changes of one partition that happen together or not at all.
 *
 * @param batch whether they are sent as an entity group transaction; a single call has one change
 */
public record Write(String partition, List<Change> changes, boolean batch) {
    public Write {
        changes = List.copyOf(changes);
        if (changes.isEmpty() || changes.size() > 100 || (!batch && changes.size() > 1)) {
            throw new IllegalArgumentException(
                    "changes: " + changes.size() + " (expected: 1, or 1 to 100 in a batch)");
        }
    }

    public EntityId idOf(Change change) {
        return new EntityId(partition, change.row());
    }
}

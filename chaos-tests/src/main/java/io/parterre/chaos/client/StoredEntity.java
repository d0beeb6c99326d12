package io.parterre.chaos.client;

import java.time.Instant;

/**
 * An entity as a read returned it.
 *
 * @param intact whether all properties belong to {@code value}, as {@link EntityText} wrote them
 * @param timestamp time of its last change, to 100 ns
 */
public record StoredEntity(
        EntityId id, long value, boolean intact, String etag, Instant timestamp) {}

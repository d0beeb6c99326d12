package io.parterre.entity;

import java.util.List;

/**
 * An entity in full.
 *
 * @param timestampTicks time of the last write, see {@link Ticks}; also the ETag
 * @param properties custom properties in the order in which they were written; no name twice
 */
public record Entity(
        String partitionKey, String rowKey, long timestampTicks, List<Property> properties) {
    public Entity {
        properties = List.copyOf(properties);
    }
}

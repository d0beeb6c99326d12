package io.parterre.frontend.table;

import java.util.Optional;

/**
 * An entity as read from a body; everything but its keys is checked.
 *
 * @param block properties by {@link io.parterre.entity.EntityCodec#encodeBlock}; nulls left out
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record EntityBody(Optional<String> partitionKey, Optional<String> rowKey, byte[] block) {}

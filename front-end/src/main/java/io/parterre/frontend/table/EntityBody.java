package io.parterre.frontend.table;

import java.util.Optional;

/**
 * An entity as a body describes it, checked but for its keys.
 *
 * @param block properties by {@link io.parterre.entity.EntityCodec#encodeBlock}; nulls left out
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record EntityBody(Optional<String> partitionKey, Optional<String> rowKey, byte[] block) {}

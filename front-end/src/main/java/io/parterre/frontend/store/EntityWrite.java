package io.parterre.frontend.store;

import java.util.OptionalLong;

/**
 * One change of one entity, as parsed and validated.
 *
 * @param block properties by {@link io.parterre.entity.EntityCodec#encodeBlock}; empty for DELETE
 * @param ifMatchTicks version that the entity must have, for UPDATE, MERGE and DELETE; empty: any
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record EntityWrite(
        Kind kind, String partitionKey, String rowKey, byte[] block, OptionalLong ifMatchTicks) {
    /** A version that no entity has, for well-formed ETags of another origin, which never match. */
    public static final long NO_VERSION = Long.MIN_VALUE;

    /** Kinds of change; the operations of docs/protocol.md 3.8 and 3.9. */
    public enum Kind {
        INSERT,
        UPDATE,
        MERGE,
        INSERT_OR_REPLACE,
        INSERT_OR_MERGE,
        DELETE
    }
}

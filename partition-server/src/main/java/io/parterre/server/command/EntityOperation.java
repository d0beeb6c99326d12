package io.parterre.server.command;

import io.parterre.key.Key;
import java.util.OptionalLong;

/**
 * An operation on one entity.
 *
 * @param block properties by {@code EntityCodec.encodeBlock}; empty for DELETE. Not to be changed
 * @param ifMatchTicks the version that must be stored; empty: any
 */
public record EntityOperation(Kind kind, Key key, byte[] block, OptionalLong ifMatchTicks) {
    /** Effect on the entity. */
    public enum Kind {
        /** The entity must not exist. */
        INSERT,
        /** The entity must exist; replaces all properties. */
        UPDATE,
        /** The entity must exist; adds and replaces single properties. */
        MERGE,
        INSERT_OR_REPLACE,
        INSERT_OR_MERGE,
        /** The entity must exist. */
        DELETE
    }
}

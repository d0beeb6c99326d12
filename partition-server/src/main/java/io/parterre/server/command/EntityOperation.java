package io.parterre.server.command;

import io.parterre.key.Key;
import java.util.OptionalLong;

/**
 * A change of one entity.
 *
 * @param block properties by {@code EntityCodec.encodeBlock}; empty for DELETE. Not to be changed
 * @param ifMatchTicks the version that must be stored; empty: any
 */
public record EntityOperation(Kind kind, Key key, byte[] block, OptionalLong ifMatchTicks) {
    /** What is to happen to the entity. */
    public enum Kind {
        /** Must not exist. */
        INSERT,
        /** Must exist; replaces all properties. */
        UPDATE,
        /** Must exist; adds and overlays properties. */
        MERGE,
        INSERT_OR_REPLACE,
        INSERT_OR_MERGE,
        /** Must exist. */
        DELETE
    }
}

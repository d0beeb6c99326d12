package io.parterre.frontend.table;

import io.parterre.frontend.store.EntityWrite;
import java.util.OptionalLong;

/**
 * The condition of an {@code If-Match} header.
 *
 * @param ticks version of a condition of kind VERSION; otherwise empty
 */
public record IfMatch(Kind kind, OptionalLong ticks) {
    static final IfMatch ANY = new IfMatch(Kind.ANY, OptionalLong.empty());
    static final IfMatch FOREIGN = new IfMatch(Kind.FOREIGN, OptionalLong.empty());
    static final IfMatch NOT_A_TIME = new IfMatch(Kind.NOT_A_TIME, OptionalLong.empty());

    /** Kinds of condition. */
    public enum Kind {
        /** {@code *}: the entity must exist. */
        ANY,
        /** An ETag that we may have written. */
        VERSION,
        /** A well-formed ETag that we never write. */
        FOREIGN,
        /**
         * As FOREIGN, but in the form of a time: the service then refuses with {@code
         * ConditionNotMet}, recorded with a doubled quote in the ETag.
         */
        NOT_A_TIME
    }

    /** Returns the version to compare with; empty: any. */
    public OptionalLong versionTicks() {
        return switch (kind) {
            case ANY -> OptionalLong.empty();
            case VERSION -> ticks;
            case FOREIGN, NOT_A_TIME -> OptionalLong.of(EntityWrite.NO_VERSION);
        };
    }
}

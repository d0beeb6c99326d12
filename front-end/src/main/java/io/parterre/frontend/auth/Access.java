package io.parterre.frontend.auth;

import io.parterre.error.ErrorCode;
import java.util.Optional;

/** What the credential of an authenticated request permits. Immutable. */
public sealed interface Access permits Access.Everything, ServiceAccess, AccountAccess, RoleAccess {
    /** The access that an account's key gives. */
    Access EVERYTHING = new Everything();

    /**
     * Returns why the action is not permitted; empty if it is permitted.
     *
     * @param table name of the table that the action is about, in any case; empty string if the
     *     action is about no table, or is a batch whose operations name their tables
     */
    Optional<ErrorCode> refusal(Action action, String table);

    /** Returns the bounds of the entities that the credential permits to read and to change. */
    KeyBounds keys();

    /** Access without limits. */
    record Everything() implements Access {
        @Override
        public Optional<ErrorCode> refusal(Action action, String table) {
            return Optional.empty();
        }

        @Override
        public KeyBounds keys() {
            return KeyBounds.ALL;
        }
    }
}

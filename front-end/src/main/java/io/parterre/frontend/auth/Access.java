package io.parterre.frontend.auth;

import io.parterre.error.ErrorCode;
import java.util.Optional;

/** What the credential of an authenticated request permits. Immutable; safe for any thread. */
public sealed interface Access permits Access.Everything, ServiceAccess, AccountAccess, RoleAccess {
    /** What an account's key permits. */
    Access EVERYTHING = new Everything();

    /**
     * Why the action is not permitted; empty if it is.
     *
     * @param table table it is about, in any case; empty string if it is about none, or about those
     *     of a batch's operations
     */
    Optional<ErrorCode> refusal(Action action, String table);

    /** The entities it permits to see and to change. */
    KeyBounds keys();

    /** No limits. */
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

package io.parterre.frontend.auth;

import io.parterre.error.ErrorCode;
import java.util.Optional;

/**
 * What the roles of a bearer token permit. Roles may not read the access policies of tables: as
 * recorded, the service answers that there are none. Source: docs/protocol.md 8.7.
 */
record RoleAccess(boolean reads, boolean writes) implements Access {
    @Override
    public Optional<ErrorCode> refusal(Action action, String table) {
        if (action.isOfAcl()) {
            return Optional.of(ErrorCode.RESOURCE_NOT_FOUND);
        }
        if (action == Action.OTHER) {
            return Optional.of(ErrorCode.AUTHORIZATION_FAILURE);
        }
        return (action.isWrite() ? writes : reads)
                ? Optional.empty()
                : Optional.of(ErrorCode.AUTHORIZATION_PERMISSION_MISMATCH);
    }

    @Override
    public KeyBounds keys() {
        return KeyBounds.ALL;
    }
}

package io.parterre.frontend.auth;

import io.parterre.error.ErrorCode;
import java.util.Optional;

/**
 * What an account signature permits. Source: docs/protocol.md 8.6.
 *
 * @param resourceTypes {@code srt}: letters of {@code sco}
 * @param permissions {@code sp}: permission letters
 */
record AccountAccess(String resourceTypes, String permissions) implements Access {
    @Override
    public Optional<ErrorCode> refusal(Action action, String table) {
        if (!action.isOfAccountSignatures()) {
            return Optional.of(ErrorCode.AUTHORIZATION_FAILURE);
        }
        if (resourceTypes.indexOf(action.resourceType()) < 0) {
            return Optional.of(ErrorCode.AUTHORIZATION_RESOURCE_TYPE_MISMATCH);
        }
        return action.isPermittedToAccount(permissions)
                ? Optional.empty()
                : Optional.of(ErrorCode.AUTHORIZATION_PERMISSION_MISMATCH);
    }

    @Override
    public KeyBounds keys() {
        return KeyBounds.ALL;
    }
}

package io.parterre.frontend.auth;

import io.parterre.error.ErrorCode;
import java.util.Locale;
import java.util.Optional;

/**
 * What a service signature permits: access to entities of one table. Source: docs/protocol.md 8.4
 * and 8.5.
 *
 * @param permissions letters of {@code raud}
 */
record ServiceAccess(String tableLowerCase, String permissions, KeyBounds keys) implements Access {
    @Override
    public Optional<ErrorCode> refusal(Action action, String table) {
        boolean possible =
                action.isOfServiceSignatures()
                        && (action == Action.BATCH
                                || table.toLowerCase(Locale.ROOT).equals(tableLowerCase));
        if (!possible) {
            return Optional.of(ErrorCode.AUTHORIZATION_FAILURE);
        }
        return action.isPermittedToService(permissions)
                ? Optional.empty()
                : Optional.of(ErrorCode.AUTHORIZATION_PERMISSION_MISMATCH);
    }
}

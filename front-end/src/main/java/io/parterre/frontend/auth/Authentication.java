package io.parterre.frontend.auth;

import io.parterre.error.ErrorCode;
import java.util.Optional;

/** Whether a request is who it claims to be. "No" is a value, with what the client is told. */
public sealed interface Authentication {
    /** It is: the account may do everything. */
    record Granted(Account account) implements Authentication {}

    /**
     * It is not, or it does not say.
     *
     * @param status HTTP status; the code alone does not decide it
     * @param challenge value of {@code WWW-Authenticate}
     */
    record Denied(ErrorCode code, int status, String text, Optional<String> challenge)
            implements Authentication {
        static Denied of(ErrorCode code) {
            return new Denied(code, code.status(), code.text(), Optional.empty());
        }
    }
}

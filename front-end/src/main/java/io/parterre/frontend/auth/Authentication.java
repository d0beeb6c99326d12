package io.parterre.frontend.auth;

import io.parterre.directory.AccessPolicy;
import io.parterre.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Whether a request is who it claims to be. "No" is a value, with what the client is told. */
public sealed interface Authentication {
    /**
     * It is, and may do what its credential permits.
     *
     * @param proof what has proved it
     */
    record Granted(Account account, Access access, Proof proof) implements Authentication {}

    /**
     * It carries a signature of the account's, which names a stored access policy.
     *
     * @param table whose policies to read, as the token spells it
     * @param decide the decision, given the table's policies; never asks for them again
     */
    record PolicyNeeded(
            Account account, String table, Function<List<AccessPolicy>, Authentication> decide)
            implements Authentication {}

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

package io.parterre.frontend.auth;

import io.parterre.directory.AccessPolicy;
import io.parterre.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Result of the authentication of a request. A denial is a value, with what the client is told. */
public sealed interface Authentication {
    /**
     * The request is authenticated and may do what its credential permits.
     *
     * @param proof the credential that proved the caller
     */
    record Granted(Account account, Access access, Proof proof) implements Authentication {}

    /**
     * The request carries a signature of the account that names a stored access policy.
     *
     * @param table table whose policies are to be read, as the token spells it
     * @param decide makes the decision from the table's policies; never asks for the policies again
     */
    record PolicyNeeded(
            Account account, String table, Function<List<AccessPolicy>, Authentication> decide)
            implements Authentication {}

    /**
     * The request is not authenticated, or carries no credential.
     *
     * @param status HTTP status; the code alone does not determine it
     * @param challenge value of {@code WWW-Authenticate}
     */
    record Denied(ErrorCode code, int status, String text, Optional<String> challenge)
            implements Authentication {
        static Denied of(ErrorCode code) {
            return new Denied(code, code.status(), code.text(), Optional.empty());
        }
    }
}

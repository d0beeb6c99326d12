package io.parterre.frontend.service;

import io.parterre.concurrent.Stages;
import io.parterre.directory.AccessPolicy;
import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.error.Throttle;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.AccountsTrust;
import io.parterre.frontend.auth.Authentication;
import io.parterre.frontend.auth.Authenticator;
import io.parterre.frontend.auth.SasRequest;
import io.parterre.frontend.auth.SignedRequest;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.table.QueryOptions;
import io.parterre.frontend.table.TableNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Authenticates calls: asks the {@link Authenticator} and reads the stored policies that it needs.
 * Stateless; thread-safe. Source: docs/protocol.md 8.
 */
record Admission(AccountDirectory accounts, Authenticator authenticator, TableStore store) {
    /**
     * The refusal when no manager vouches for the accounts; another front end may reach a manager.
     */
    private static final Throttle OUT_OF_DATE =
            new Throttle(BusyReason.ACCOUNTS, Duration.ofSeconds(5));

    /**
     * Authenticates the caller, as far as that is possible without the cluster.
     *
     * @throws StorageException {@code SERVER_BUSY} if the accounts are too old to be trusted
     */
    Authentication authenticate(TableRequest request) {
        if (accounts.trust() == AccountsTrust.EXPIRED) {
            throw new StorageException(OUT_OF_DATE);
        }
        HttpCall call = request.call();
        QueryOptions options = request.options();
        SignedRequest signed =
                new SignedRequest(
                        call.method(),
                        request.address().signedPath(),
                        options.value("comp"),
                        request.address().account(),
                        sas(call, options),
                        call.headers().first("x-ms-version"),
                        call.headers());
        return authenticator.authenticate(signed, request.context().receivedAt());
    }

    private static Optional<SasRequest> sas(HttpCall call, QueryOptions options) {
        return options.isSharedAccessSignature()
                ? Optional.of(
                        new SasRequest(options::value, call.secure(), call.remote().getAddress()))
                : Optional.empty();
    }

    /**
     * Decides by the table's policies. A table that does not exist has none. Fails like {@link
     * TableStore#tablePolicies}.
     */
    CompletionStage<Authentication> withPolicies(
            Authentication.PolicyNeeded needed, Instant deadline) {
        if (!TableNames.isPossible(needed.table())) {
            return CompletableFuture.completedStage(needed.decide().apply(List.of()));
        }
        return store.tablePolicies(needed.account().accountId(), needed.table(), deadline)
                .exceptionallyCompose(Admission::none)
                .thenApply(needed.decide());
    }

    private static CompletionStage<List<AccessPolicy>> none(Throwable thrown) {
        boolean missing =
                Stages.cause(thrown) instanceof StorageException refusal
                        && refusal.code() == ErrorCode.TABLE_NOT_FOUND;
        return missing
                ? CompletableFuture.completedStage(List.of())
                : CompletableFuture.failedStage(thrown);
    }
}

package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.settings.CorsPolicy;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.TableAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles requests of scripts of other origins: answers preflights, and adds headers to the answers
 * of other requests. Neither is authenticated: rules say what a browser may pass on to a script,
 * not what a caller may do. Source: docs/protocol.md 3.11. Never blocks; thread-safe.
 */
record CrossOrigin(AccountDirectory accounts, CorsPolicies policies, List<String> hostSuffixes) {
    private static final Logger log = LoggerFactory.getLogger(CrossOrigin.class);

    /** Answers {@code OPTIONS}. The resource need not exist. */
    CompletionStage<HttpAnswer> preflight(TableRequest request) {
        HeaderList sent = request.context().headers();
        Optional<String> origin = nonBlank(sent.first("Origin"));
        Optional<String> method = nonBlank(sent.first("Access-Control-Request-Method"));
        if (origin.isEmpty() || method.isEmpty()) {
            return CompletableFuture.completedStage(
                    refused(
                            request,
                            new StorageException(
                                    ErrorCode.INVALID_HEADER_VALUE,
                                    "A required CORS header is not present.")));
        }
        String requestHeaders = sent.list("Access-Control-Request-Headers").orElse("");
        return policy(request.address())
                .thenApply(policy -> policy.preflight(origin.get(), method.get(), requestHeaders))
                .handle(
                        (headers, thrown) ->
                                thrown == null
                                        ? allowed(request, headers)
                                        : unknown(request, thrown));
    }

    private static Optional<String> nonBlank(Optional<String> value) {
        return value.map(String::strip).filter(text -> !text.isEmpty());
    }

    private static HttpAnswer allowed(TableRequest request, Optional<HeaderList> headers) {
        return headers.isPresent()
                ? TableAnswers.of(
                        request, OperationAnswer.empty(200, Optional.empty(), headers.get()), false)
                : refused(request, new StorageException(ErrorCode.CORS_PREFLIGHT_FAILURE));
    }

    private static HttpAnswer unknown(TableRequest request, Throwable thrown) {
        if (!Failure.isExpected(thrown)) {
            log.error("preflight failed requestId={}", request.context().requestId(), thrown);
        }
        return refused(request, Failure.of(thrown).refusal());
    }

    private static HttpAnswer refused(TableRequest request, StorageException refusal) {
        return TableAnswers.frontEnd(request.context(), request.version(), refusal);
    }

    /**
     * Adds to the answer of a request with an {@code Origin} the headers that its browser needs.
     */
    CompletionStage<HttpAnswer> told(
            HttpCall call, String origin, CompletionStage<HttpAnswer> answered) {
        CompletionStage<CorsPolicy> policy;
        try {
            policy =
                    policy(
                            TableAddress.of(
                                    call.secure(),
                                    call.headers().first("Host"),
                                    call.rawPath(),
                                    hostSuffixes));
        } catch (StorageException nobodysAddress) {
            return answered;
        }
        CompletionStage<CorsPolicy> orNone =
                policy.exceptionally(
                        unread -> {
                            // Without the headers the browser withholds the answer from the script,
                            // which is the safe side. The script may retry.
                            log.debug("rules for other origins not read", unread);
                            return new CorsPolicy(List.of());
                        });
        return answered.thenCombine(orNone, (answer, rules) -> with(rules, call, origin, answer));
    }

    private static HttpAnswer with(
            CorsPolicy rules, HttpCall call, String origin, HttpAnswer answer) {
        List<HeaderList.Header> headers = new ArrayList<>(answer.headers().headers());
        headers.addAll(rules.ofAnswer(origin, call.method(), answer.headers()).headers());
        return answer.with(new HeaderList(headers));
    }

    /** Returns the rules of the account; an account that does not exist has none. */
    private CompletionStage<CorsPolicy> policy(TableAddress address) {
        return accounts.find(address.account())
                .map(Account::accountId)
                .map(policies::of)
                .orElseGet(() -> CompletableFuture.completedStage(new CorsPolicy(List.of())));
    }
}

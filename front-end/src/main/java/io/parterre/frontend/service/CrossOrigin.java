package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.settings.CorsPolicy;
import io.parterre.frontend.table.ApiVersion;
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
 * Requests of scripts of other origins: preflights, and what answers to the others carry. Nobody
 * has to be known for either: rules say what a browser may tell a script, not who may do what.
 * Source: docs/protocol.md 3.11. Never blocks; safe for any thread.
 */
final class CrossOrigin {
    private static final Logger log = LoggerFactory.getLogger(CrossOrigin.class);

    private final AccountDirectory accounts;
    private final CorsPolicies policies;
    private final List<String> hostSuffixes;

    CrossOrigin(AccountDirectory accounts, CorsPolicies policies, List<String> hostSuffixes) {
        this.accounts = accounts;
        this.policies = policies;
        this.hostSuffixes = hostSuffixes;
    }

    /** Answers {@code OPTIONS}. The resource need not exist. */
    CompletionStage<HttpAnswer> preflight(
            CallContext context, TableAddress address, ApiVersion version) {
        Optional<String> origin = nonBlank(context.headers().first("Origin"));
        Optional<String> method =
                nonBlank(context.headers().first("Access-Control-Request-Method"));
        if (origin.isEmpty() || method.isEmpty()) {
            return CompletableFuture.completedStage(
                    refused(
                            context,
                            version,
                            new StorageException(
                                    ErrorCode.INVALID_HEADER_VALUE,
                                    "A required CORS header is not present.")));
        }
        String requestHeaders = context.headers().list("Access-Control-Request-Headers").orElse("");
        return policy(address)
                .handle(
                        (policy, thrown) ->
                                thrown == null
                                        ? policy.preflight(
                                                        origin.get(), method.get(), requestHeaders)
                                                .map(headers -> allowed(context, version, headers))
                                                .orElseGet(() -> failed(context, version))
                                        : unknown(context, version, thrown));
    }

    private static Optional<String> nonBlank(Optional<String> value) {
        return value.map(String::strip).filter(text -> !text.isEmpty());
    }

    private static HttpAnswer allowed(CallContext context, ApiVersion version, HeaderList headers) {
        return TableAnswers.ofSettings(
                context, version, OperationAnswer.empty(200, Optional.empty(), headers));
    }

    private static HttpAnswer failed(CallContext context, ApiVersion version) {
        return refused(context, version, new StorageException(ErrorCode.CORS_PREFLIGHT_FAILURE));
    }

    private static HttpAnswer unknown(CallContext context, ApiVersion version, Throwable thrown) {
        if (!Failure.isExpected(thrown)) {
            log.error("preflight failed requestId={}", context.requestId(), thrown);
        }
        return refused(context, version, Failure.of(thrown).refusal());
    }

    private static HttpAnswer refused(
            CallContext context, ApiVersion version, StorageException refusal) {
        return TableAnswers.frontEnd(context, Optional.of(version), refusal, false);
    }

    /** Adds to the answer of a request with an {@code Origin} what its browser has to know. */
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
                            // Without them the browser keeps the answer from the script: the safe
                            // side. The script may try again.
                            log.debug("rules for other origins not read", unread);
                            return new CorsPolicy(List.of());
                        });
        return answered.thenCombine(orNone, (answer, rules) -> with(rules, call, origin, answer));
    }

    private static HttpAnswer with(
            CorsPolicy rules, HttpCall call, String origin, HttpAnswer answer) {
        List<HeaderList.Header> headers = new ArrayList<>(answer.headers().headers());
        headers.addAll(rules.ofAnswer(origin, call.method(), answer.headers()).headers());
        return new HttpAnswer(
                answer.status(), answer.reason(), new HeaderList(headers), answer.body());
    }

    /** An account that nobody has has no rules either. */
    private CompletionStage<CorsPolicy> policy(TableAddress address) {
        return accounts.find(address.account())
                .map(Account::accountId)
                .map(policies::of)
                .orElseGet(() -> CompletableFuture.completedStage(new CorsPolicy(List.of())));
    }
}

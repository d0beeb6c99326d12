package io.parterre.frontend.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.directory.AccessPolicy;
import io.parterre.entity.Ticks;
import io.parterre.error.ErrorCode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides about access signatures. Stateless; safe for any thread. Source: docs/protocol.md 8.4 to
 * 8.6.
 *
 * <p>Order: form, signature, account, policy, times, protocol, address, service. What a token with
 * a wrong signature says is never looked at, and never answered. Times are exact: a token that
 * begins now may be refused by a clock that is behind, which is why clients are told to begin it in
 * the past.
 */
record SasAuthenticator(AccountDirectory accounts) {
    Authentication authenticate(SasRequest request, String account, Instant now) {
        return SasFields.of(request)
                .flatMap(
                        fields ->
                                fields.has("tn")
                                        ? ServiceSas.of(fields).flatMap(s -> of(s, account, now))
                                        : AccountSas.of(fields).flatMap(s -> of(s, account, now)))
                .orElse(Authentication.Denied.of(ErrorCode.AUTHENTICATION_FAILED));
    }

    private Optional<Authentication> of(AccountSas sas, String name, Instant now) {
        return signer(name, sas.fields(), sas.textToSign(name))
                .flatMap(account -> granted(account, sas, now));
    }

    private static Optional<Authentication> granted(Account account, AccountSas sas, Instant now) {
        SasFields fields = sas.fields();
        if (account.suspended()) {
            return denied(ErrorCode.ACCOUNT_IS_DISABLED);
        }
        if (!isCurrent(fields.startTicks(), fields.expiryTicks(), now)) {
            return Optional.empty();
        }
        Optional<Authentication> mismatch = mismatch(fields);
        if (mismatch.isPresent()) {
            return mismatch;
        }
        return sas.isForTables()
                ? Optional.of(new Authentication.Granted(account, sas.access()))
                : denied(ErrorCode.AUTHORIZATION_SERVICE_MISMATCH);
    }

    private Optional<Authentication> of(ServiceSas sas, String name, Instant now) {
        Optional<Account> signer = signer(name, sas.fields(), sas.textToSign(name));
        if (signer.isEmpty()) {
            return Optional.empty();
        }
        Account account = signer.get();
        if (account.suspended()) {
            return denied(ErrorCode.ACCOUNT_IS_DISABLED);
        }
        if (sas.policyId().isEmpty()) {
            AccessPolicy none =
                    new AccessPolicy(
                            "", OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
            return granted(account, sas, none, now);
        }
        return Optional.of(
                new Authentication.PolicyNeeded(
                        account,
                        sas.table(),
                        policies ->
                                named(policies, sas.policyId().get())
                                        .flatMap(policy -> granted(account, sas, policy, now))
                                        .orElse(
                                                Authentication.Denied.of(
                                                        ErrorCode.AUTHENTICATION_FAILED))));
    }

    private static Optional<AccessPolicy> named(List<AccessPolicy> policies, String id) {
        return policies.stream().filter(policy -> policy.id().equals(id)).findFirst();
    }

    /** Each of start, expiry and permissions comes from the token or from the policy, not both. */
    private static Optional<Authentication> granted(
            Account account, ServiceSas sas, AccessPolicy policy, Instant now) {
        SasFields fields = sas.fields();
        Optional<String> stored = policy.permissions().filter(letters -> !letters.isEmpty());
        boolean contradicts =
                fields.startTicks().isPresent() && policy.startTicks().isPresent()
                        || fields.expiryTicks().isPresent() && policy.expiryTicks().isPresent()
                        || sas.permissions().isPresent() && stored.isPresent();
        OptionalLong start = either(fields.startTicks(), policy.startTicks());
        OptionalLong expiry = either(fields.expiryTicks(), policy.expiryTicks());
        Optional<String> permissions = sas.permissions().or(() -> stored);
        boolean holds =
                !contradicts
                        && permissions.isPresent()
                        && expiry.isPresent()
                        && isCurrent(start, expiry, now);
        if (!holds) {
            return Optional.empty();
        }
        return mismatch(fields)
                .or(
                        () ->
                                Optional.of(
                                        new Authentication.Granted(
                                                account,
                                                new ServiceAccess(
                                                        sas.tableLowerCase(),
                                                        permissions.get(),
                                                        sas.keys()))));
    }

    private static OptionalLong either(OptionalLong token, OptionalLong policy) {
        return token.isPresent() ? token : policy;
    }

    /** The account, if one of its keys signed this text. */
    private Optional<Account> signer(String name, SasFields fields, String text) {
        byte[] signed = text.getBytes(UTF_8);
        return accounts.find(name)
                .filter(account -> Signature.isBy(account.keys(), signed, fields.signature()));
    }

    private static boolean isCurrent(OptionalLong start, OptionalLong expiry, Instant now) {
        long ticks = Ticks.of(now);
        return (start.isEmpty() || start.getAsLong() <= ticks)
                && (expiry.isEmpty() || ticks < expiry.getAsLong());
    }

    private static Optional<Authentication> mismatch(SasFields fields) {
        if (!fields.permitsProtocol()) {
            return denied(ErrorCode.AUTHORIZATION_PROTOCOL_MISMATCH);
        }
        if (!fields.permitsAddress()) {
            ErrorCode code = ErrorCode.AUTHORIZATION_SOURCE_IP_MISMATCH;
            String text = code.text().replaceAll("\\.$", " " + fields.remoteAddress() + ".");
            return Optional.of(
                    new Authentication.Denied(code, code.status(), text, Optional.empty()));
        }
        return Optional.empty();
    }

    private static Optional<Authentication> denied(ErrorCode code) {
        return Optional.of(Authentication.Denied.of(code));
    }
}

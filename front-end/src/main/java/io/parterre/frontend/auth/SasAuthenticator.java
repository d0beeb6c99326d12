package io.parterre.frontend.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.directory.AccessPolicy;
import io.parterre.entity.Ticks;
import io.parterre.error.ErrorCode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Authenticates requests by access signatures. Stateless; thread-safe. Source: docs/protocol.md 8.4
 * to 8.6.
 *
 * <p>Order of the checks: form, signature, account, policy, times, protocol, address, service. The
 * contents of a token with a wrong signature are never evaluated and never answered. Times are
 * exact: a server whose clock is behind may refuse a token that begins now, which is why clients
 * are told to let a token begin in the past.
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
                .flatMap(signer -> granted(signer, sas, now));
    }

    private static Optional<Authentication> granted(Signer signer, AccountSas sas, Instant now) {
        SasFields fields = sas.fields();
        Account account = signer.account();
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
                ? Optional.of(new Authentication.Granted(account, sas.access(), signer.proof()))
                : denied(ErrorCode.AUTHORIZATION_SERVICE_MISMATCH);
    }

    private Optional<Authentication> of(ServiceSas sas, String name, Instant now) {
        Optional<Signer> known = signer(name, sas.fields(), sas.textToSign(name));
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Signer signer = known.get();
        Account account = signer.account();
        if (account.suspended()) {
            return denied(ErrorCode.ACCOUNT_IS_DISABLED);
        }
        if (sas.policyId().isEmpty()) {
            AccessPolicy none =
                    new AccessPolicy(
                            "", OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
            return granted(signer, sas, none, now);
        }
        return Optional.of(
                new Authentication.PolicyNeeded(
                        account,
                        sas.table(),
                        policies ->
                                named(policies, sas.policyId().get())
                                        .flatMap(policy -> granted(signer, sas, policy, now))
                                        .orElse(
                                                Authentication.Denied.of(
                                                        ErrorCode.AUTHENTICATION_FAILED))));
    }

    private static Optional<AccessPolicy> named(List<AccessPolicy> policies, String id) {
        return policies.stream().filter(policy -> policy.id().equals(id)).findFirst();
    }

    /**
     * Each of start, expiry and permissions comes either from the token or from the policy, never
     * from both.
     */
    private static Optional<Authentication> granted(
            Signer signer, ServiceSas sas, AccessPolicy policy, Instant now) {
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
                                                signer.account(),
                                                new ServiceAccess(
                                                        sas.tableLowerCase(),
                                                        permissions.get(),
                                                        sas.keys()),
                                                signer.proof())));
    }

    private static OptionalLong either(OptionalLong token, OptionalLong policy) {
        return token.isPresent() ? token : policy;
    }

    /** An account and the proof of which of its keys made the signature. */
    private record Signer(Account account, Proof proof) {}

    /** Returns the account if one of its keys signed this text; otherwise empty. */
    private Optional<Signer> signer(String name, SasFields fields, String text) {
        byte[] signed = text.getBytes(UTF_8);
        byte[] signature = fields.signature();
        return accounts.find(name)
                .flatMap(
                        account -> {
                            OptionalInt key = Signature.signer(account.keys(), signed, signature);
                            return key.isPresent()
                                    ? Optional.of(
                                            new Signer(
                                                    account,
                                                    Proof.signature(key.getAsInt(), signature)))
                                    : Optional.empty();
                        });
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

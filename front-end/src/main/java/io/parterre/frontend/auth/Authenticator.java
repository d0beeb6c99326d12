package io.parterre.frontend.auth;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.parterre.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Authenticates requests by a shared key signature, an access signature or a bearer token.
 * Stateless; thread-safe; never logs a key, a signature or a token.
 *
 * <p>Rules: both keys of an account are valid. Signatures are compared in constant time. A request
 * signed by key is refused if its date is too far from our clock in either direction, by default 15
 * minutes. If a request carries two credentials, the header counts. Source: docs/protocol.md 8.1 to
 * 8.7.
 */
public final class Authenticator {
    private static final String CHALLENGE_FROM_VERSION = "2019-12-12";
    private static final String BEARER = "Bearer ";

    private final AccountDirectory accounts;
    private final SasAuthenticator signatures;
    private final Optional<BearerConfig> bearer;
    private final Optional<BearerVerifier> tokens;
    private final Duration clockSkewMax;

    /**
     * Creates an authenticator that reads accounts from this directory.
     *
     * @param bearer which tokens are accepted; if empty, no tokens are accepted and clients without
     *     credentials get a plain 403 instead of a challenge
     * @param clockSkewMax how far the date of a request signed by key may be from our clock
     */
    public Authenticator(
            AccountDirectory accounts,
            Optional<BearerConfig> bearer,
            TokenKeys keys,
            Duration clockSkewMax) {
        this.accounts = accounts;
        this.signatures = new SasAuthenticator(accounts);
        this.bearer = bearer;
        this.tokens = bearer.map(config -> new BearerVerifier(config, keys));
        this.clockSkewMax = clockSkewMax;
    }

    public Authentication authenticate(SignedRequest request, Instant now) {
        Optional<String> header = request.headers().first("Authorization");
        if (header.isEmpty()) {
            return request.sas().isPresent()
                    ? signatures.authenticate(request.sas().get(), request.account(), now)
                    : challenge(ErrorCode.NO_AUTHENTICATION_INFORMATION, request);
        }
        if (header.get().regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return token(header.get().substring(BEARER.length()).strip(), request, now);
        }
        return SharedKeyCredential.parse(header.get())
                .map(credential -> verify(credential, request, now))
                .orElse(Authentication.Denied.of(ErrorCode.INVALID_AUTHENTICATION_INFO));
    }

    private Authentication token(String token, SignedRequest request, Instant now) {
        BearerVerifier.Verdict verdict =
                tokens.map(verifier -> verifier.verify(token, now))
                        .orElse(BearerVerifier.Verdict.of(BearerVerifier.Outcome.REFUSED));
        return switch (verdict.outcome()) {
            case ACCEPTED -> granted(request.account(), verdict.access());
            case REFUSED -> challenge(ErrorCode.INVALID_AUTHENTICATION_INFO, request);
            case AWAITED -> Authentication.Denied.of(ErrorCode.SERVER_BUSY);
        };
    }

    private Authentication granted(String name, RoleAccess access) {
        boolean offered =
                bearer.filter(config -> config.accounts().isEmpty())
                        .or(() -> bearer.filter(config -> config.accounts().contains(name)))
                        .isPresent();
        Optional<Account> account = offered ? accounts.find(name) : Optional.empty();
        return granted(account, access, Proof.TOKEN);
    }

    private Authentication challenge(ErrorCode code, SignedRequest request) {
        boolean knowsChallenges =
                request.version()
                        .filter(version -> version.compareTo(CHALLENGE_FROM_VERSION) >= 0)
                        .isPresent();
        if (bearer.isEmpty() || !knowsChallenges) {
            return Authentication.Denied.of(ErrorCode.AUTHENTICATION_FAILED);
        }
        return new Authentication.Denied(
                code,
                401,
                ErrorCode.NO_AUTHENTICATION_INFORMATION.text(),
                Optional.of(
                        "Bearer authorization_uri="
                                + bearer.get().authorizationUri()
                                + " resource_id="
                                + bearer.get().resourceId()));
    }

    private Authentication verify(
            SharedKeyCredential credential, SignedRequest request, Instant now) {
        Optional<Account> account = accounts.find(request.account());
        Optional<String> date = StringToSign.signedDate(request.headers());
        boolean plausible =
                account.isPresent()
                        && date.isPresent()
                        && credential.account().equals(request.account())
                        && isFresh(date.get(), now);
        OptionalInt key =
                plausible
                        ? signer(credential, request, date.get(), account.get())
                        : OptionalInt.empty();
        return key.isPresent()
                ? granted(account, Access.EVERYTHING, Proof.key(key.getAsInt()))
                : Authentication.Denied.of(ErrorCode.AUTHENTICATION_FAILED);
    }

    /**
     * Grants access to the account; denies it if the account is empty, because then the request
     * does not come from the claimed caller.
     */
    private static Authentication granted(Optional<Account> account, Access access, Proof proof) {
        if (account.isEmpty()) {
            return Authentication.Denied.of(ErrorCode.AUTHENTICATION_FAILED);
        }
        return account.get().suspended()
                ? Authentication.Denied.of(ErrorCode.ACCOUNT_IS_DISABLED)
                : new Authentication.Granted(account.get(), access, proof);
    }

    private boolean isFresh(String date, Instant now) {
        return HttpDate.parse(date)
                .filter(
                        signedAt ->
                                Duration.between(signedAt, now).abs().compareTo(clockSkewMax) <= 0)
                .isPresent();
    }

    /** Returns the number of the key that signed the request; empty if no key did. */
    private static OptionalInt signer(
            SharedKeyCredential credential, SignedRequest request, String date, Account account) {
        OptionalInt asSent =
                signer(credential, request, date, account, StringToSign.sentPath(request));
        return asSent.isPresent()
                ? asSent
                : StringToSign.otherPaths(request).stream()
                        .map(path -> signer(credential, request, date, account, path))
                        .filter(OptionalInt::isPresent)
                        .findFirst()
                        .orElse(OptionalInt.empty());
    }

    private static OptionalInt signer(
            SharedKeyCredential credential,
            SignedRequest request,
            String date,
            Account account,
            String path) {
        // The head was read as Latin-1, byte by byte, so this restores the bytes as sent, mostly
        // UTF-8.
        byte[] text = StringToSign.of(request, credential.lite(), date, path).getBytes(ISO_8859_1);
        return Signature.signer(account.keys(), text, credential.signature());
    }
}

package io.parterre.frontend.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.error.ErrorCode;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Decides whether a request carries a valid shared key signature. Other credentials are refused as
 * the service refuses those it does not accept. Stateless; safe for any thread; never logs a key or
 * a signature.
 *
 * <p>Rules: both keys of an account are valid; signatures compare in constant time; a request more
 * than 15 minutes away from our clock is refused, older or newer. Source: Table service protocol
 * reference, sections 8.1 to 8.4.
 */
public final class Authenticator {
    private static final Duration SKEW_MAX = Duration.ofMinutes(15);
    private static final String CHALLENGE_FROM_VERSION = "2019-12-12";

    private static final String ALGORITHM = "HmacSHA256";

    /** Never given a key, only copied, which any thread may do. */
    private final Mac unused = lookUp();

    private final AccountDirectory accounts;
    private final Optional<String> authorizationUri;

    /**
     * Reads accounts from this directory.
     *
     * @param authorizationUri where clients are told to get bearer tokens; empty: clients without
     *     credentials get a plain 403 instead of a challenge
     */
    public Authenticator(AccountDirectory accounts, Optional<String> authorizationUri) {
        this.accounts = accounts;
        this.authorizationUri = authorizationUri;
    }

    public Authentication authenticate(SignedRequest request, Instant now) {
        Optional<String> header = request.headers().first("Authorization");
        if (header.isEmpty()) {
            return request.sharedAccessSignature()
                    ? Authentication.Denied.of(ErrorCode.AUTHENTICATION_FAILED)
                    : challenge(ErrorCode.NO_AUTHENTICATION_INFORMATION, request);
        }
        if (header.get().regionMatches(true, 0, "Bearer ", 0, 7)) {
            return challenge(ErrorCode.INVALID_AUTHENTICATION_INFO, request);
        }
        return SharedKeyCredential.parse(header.get())
                .map(credential -> verify(credential, request, now))
                .orElse(Authentication.Denied.of(ErrorCode.INVALID_AUTHENTICATION_INFO));
    }

    private Authentication challenge(ErrorCode code, SignedRequest request) {
        boolean knowsChallenges =
                request.version()
                        .filter(version -> version.compareTo(CHALLENGE_FROM_VERSION) >= 0)
                        .isPresent();
        if (authorizationUri.isEmpty() || !knowsChallenges) {
            return Authentication.Denied.of(ErrorCode.AUTHENTICATION_FAILED);
        }
        return new Authentication.Denied(
                code,
                401,
                ErrorCode.NO_AUTHENTICATION_INFORMATION.text(),
                Optional.of(
                        "Bearer authorization_uri="
                                + authorizationUri.get()
                                + " resource_id=https://storage.azure.com"));
    }

    private Authentication verify(
            SharedKeyCredential credential, SignedRequest request, Instant now) {
        Optional<Account> account = accounts.find(request.account());
        Optional<String> date = StringToSign.signedDate(request.headers());
        boolean valid =
                account.isPresent()
                        && date.isPresent()
                        && credential.account().equals(request.account())
                        && isFresh(date.get(), now)
                        && isSigned(credential, request, date.get(), account.get());
        if (!valid) {
            return Authentication.Denied.of(ErrorCode.AUTHENTICATION_FAILED);
        }
        return account.get().suspended()
                ? Authentication.Denied.of(ErrorCode.ACCOUNT_IS_DISABLED)
                : new Authentication.Granted(account.get());
    }

    private static boolean isFresh(String date, Instant now) {
        return HttpDate.parse(date)
                .filter(signedAt -> Duration.between(signedAt, now).abs().compareTo(SKEW_MAX) <= 0)
                .isPresent();
    }

    private boolean isSigned(
            SharedKeyCredential credential, SignedRequest request, String date, Account account) {
        return isSigned(credential, request, date, account, StringToSign.sentPath(request))
                || StringToSign.otherPaths(request).stream()
                        .anyMatch(path -> isSigned(credential, request, date, account, path));
    }

    private boolean isSigned(
            SharedKeyCredential credential,
            SignedRequest request,
            String date,
            Account account,
            String path) {
        byte[] text = StringToSign.of(request, credential.lite(), date, path).getBytes(UTF_8);
        for (byte[] key : account.keys()) {
            if (MessageDigest.isEqual(sign(key, text), credential.signature())) {
                return true;
            }
        }
        return false;
    }

    private byte[] sign(byte[] key, byte[] text) {
        try {
            // Looking an algorithm up costs more than it does; a copy of an unused one is free.
            Mac mac = (Mac) unused.clone();
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text);
        } catch (CloneNotSupportedException | GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    private static Mac lookUp() {
        try {
            return Mac.getInstance(ALGORITHM);
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}

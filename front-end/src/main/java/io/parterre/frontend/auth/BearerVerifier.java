package io.parterre.frontend.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Verifies bearer tokens: the issuer's key, our audience and the current time; then derives what
 * the token's roles permit. Stateless but for the keys; thread-safe. Source: docs/protocol.md 8.7;
 * RFC 7519, section 7.2; RFC 8725.
 */
record BearerVerifier(BearerConfig config, TokenKeys keys) {
    /** Asymmetric algorithms only, because a public key must never be used as a shared secret. */
    private static final Set<JWSAlgorithm> ALGORITHMS =
            Set.of(
                    JWSAlgorithm.RS256,
                    JWSAlgorithm.RS384,
                    JWSAlgorithm.RS512,
                    JWSAlgorithm.PS256,
                    JWSAlgorithm.PS384,
                    JWSAlgorithm.PS512,
                    JWSAlgorithm.ES256,
                    JWSAlgorithm.ES384,
                    JWSAlgorithm.ES512);

    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

    /** Number of keys tried for a token that does not name its key. */
    private static final int KEYS_TRIED_MAX = 4;

    /** Result of the verification of a token. */
    enum Outcome {
        ACCEPTED,
        REFUSED,
        /** The token's key is not known yet, and may be known in a moment. */
        AWAITED
    }

    /** An outcome and what it permits, which is nothing unless the token was accepted. */
    record Verdict(Outcome outcome, RoleAccess access) {
        static Verdict of(Outcome outcome) {
            return new Verdict(outcome, new RoleAccess(false, false));
        }
    }

    Verdict verify(String token, Instant now) {
        try {
            SignedJWT jwt = parse(token);
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            if (claims == null
                    || !isKnownKind(jwt.getHeader())
                    || !isForUs(claims)
                    || !isCurrent(claims, now)) {
                return Verdict.of(Outcome.REFUSED);
            }
            Outcome outcome = signature(jwt);
            return outcome == Outcome.ACCEPTED
                    ? new Verdict(outcome, access(claims))
                    : Verdict.of(outcome);
        } catch (ParseException | JOSEException malformed) {
            return Verdict.of(Outcome.REFUSED);
        }
    }

    /**
     * The library throws unchecked exceptions for some texts, such as a header of {@code null}.
     * Such texts are malformed tokens.
     */
    private static SignedJWT parse(String token) throws ParseException {
        try {
            return SignedJWT.parse(token);
        } catch (RuntimeException tripped) {
            ParseException malformed = new ParseException("token: malformed", 0);
            malformed.initCause(tripped);
            throw malformed;
        }
    }

    private static boolean isKnownKind(JWSHeader header) {
        boolean knownType =
                header.getType() == null
                        || TYPES.stream().anyMatch(header.getType().getType()::equalsIgnoreCase);
        return knownType && ALGORITHMS.contains(header.getAlgorithm());
    }

    private boolean isForUs(JWTClaimsSet claims) {
        return claims.getIssuer() != null
                && config.issuers().contains(claims.getIssuer())
                && claims.getAudience().stream()
                        .anyMatch(each -> each != null && config.audiences().contains(each));
    }

    private boolean isCurrent(JWTClaimsSet claims, Instant now) {
        Date expiry = claims.getExpirationTime();
        Date notBefore = claims.getNotBeforeTime();
        return expiry != null
                && now.minus(config.clockSkewMax()).isBefore(expiry.toInstant())
                && (notBefore == null
                        || !now.plus(config.clockSkewMax()).isBefore(notBefore.toInstant()));
    }

    private Outcome signature(SignedJWT jwt) throws JOSEException {
        Optional<JWKSet> known = keys.current();
        List<JWK> candidates = known.map(set -> candidates(jwt.getHeader(), set)).orElse(List.of());
        for (JWK key : candidates) {
            if (jwt.verify(verifier(key))) {
                return Outcome.ACCEPTED;
            }
        }
        return candidates.isEmpty() && keys.refresh() ? Outcome.AWAITED : Outcome.REFUSED;
    }

    private static List<JWK> candidates(JWSHeader header, JWKSet known) {
        return new JWKSelector(JWKMatcher.forJWSHeader(header))
                .select(known).stream()
                        .filter(key -> key instanceof RSAKey || key instanceof ECKey)
                        .limit(KEYS_TRIED_MAX)
                        .toList();
    }

    private static JWSVerifier verifier(JWK key) throws JOSEException {
        return key instanceof RSAKey rsa ? new RSASSAVerifier(rsa) : new ECDSAVerifier((ECKey) key);
    }

    private RoleAccess access(JWTClaimsSet claims) {
        List<String> roles = roles(claim(claims));
        boolean writes = roles.stream().anyMatch(config.contributorRoles()::contains);
        boolean reads = writes || roles.stream().anyMatch(config.readerRoles()::contains);
        return new RoleAccess(reads, writes);
    }

    /**
     * Returns the claim with exactly this name, or else the nested value at the path that its dots
     * give; empty if neither exists.
     */
    private Optional<Object> claim(JWTClaimsSet claims) {
        Object whole = claims.getClaim(config.rolesClaim());
        if (whole != null) {
            return Optional.of(whole);
        }
        Object at = claims.getClaims();
        for (String name : config.rolesClaim().split("\\.", -1)) {
            at = at instanceof Map<?, ?> object ? object.get(name) : null;
        }
        return Optional.ofNullable(at);
    }

    /**
     * Scopes come as one text separated by spaces, but a role's name may itself contain spaces, so
     * a text counts as a whole and by its parts.
     */
    private static List<String> roles(Optional<Object> claim) {
        if (claim.isPresent() && claim.get() instanceof String text) {
            return Stream.concat(Stream.of(text), Stream.of(text.split(" "))).toList();
        }
        return claim.isPresent() && claim.get() instanceof List<?> list
                ? list.stream().filter(String.class::isInstance).map(String.class::cast).toList()
                : List.of();
    }
}

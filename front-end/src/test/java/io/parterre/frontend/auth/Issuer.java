package io.parterre.frontend.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/** An issuer of tokens, for tests. */
public final class Issuer {
    public static final String NAME = "https://login.example.com/t/v2.0";
    public static final String AUDIENCE = "https://storage.azure.com";
    public static final BearerConfig CONFIG =
            new BearerConfig(
                    List.of(NAME),
                    List.of(AUDIENCE, AUDIENCE + "/"),
                    "https://login.example.com/t/oauth2/authorize",
                    "roles",
                    List.of("Reader"),
                    List.of("Storage Table Data Contributor"),
                    List.of(),
                    Duration.ofMinutes(1));

    private Issuer() {}

    public static RSAKey rsa(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static ECKey ec(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Keys that stay as they are; a newer set comes in a moment if {@code more}. */
    public static TokenKeys keys(boolean more, JWK... keys) {
        return new TokenKeys() {
            @Override
            public Optional<JWKSet> current() {
                return Optional.of(new JWKSet(List.of(keys)).toPublicJWKSet());
            }

            @Override
            public boolean refresh() {
                return more;
            }
        };
    }

    /** Claims that are accepted. */
    public static JWTClaimsSet.Builder claims(Instant now, String... roles) {
        return new JWTClaimsSet.Builder()
                .issuer(NAME)
                .audience(AUDIENCE)
                .issueTime(Date.from(now))
                .notBeforeTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(3_600)))
                .claim("roles", List.of(roles));
    }

    public static String token(JWK key, JWTClaimsSet.Builder claims) {
        JWSAlgorithm algorithm =
                key instanceof RSAKey
                        ? JWSAlgorithm.RS256
                        : key instanceof ECKey ? JWSAlgorithm.ES256 : JWSAlgorithm.HS256;
        return token(key, new JWSHeader.Builder(algorithm).keyID(key.getKeyID()), claims);
    }

    static String token(JWK key, JWSHeader.Builder header, JWTClaimsSet.Builder claims) {
        try {
            SignedJWT jwt = new SignedJWT(header.build(), claims.build());
            jwt.sign(signer(key));
            return jwt.serialize();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static JWSHeader.Builder header(JWSAlgorithm algorithm, String type) {
        return new JWSHeader.Builder(algorithm).type(new JOSEObjectType(type));
    }

    private static JWSSigner signer(JWK key) throws JOSEException {
        if (key instanceof RSAKey rsa) {
            return new RSASSASigner(rsa);
        }
        return key instanceof ECKey ec
                ? new ECDSASigner(ec)
                : new MACSigner((OctetSequenceKey) key);
    }
}

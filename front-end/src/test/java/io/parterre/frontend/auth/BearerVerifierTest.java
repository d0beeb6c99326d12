package io.parterre.frontend.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import io.parterre.error.ErrorCode;
import io.parterre.frontend.auth.BearerVerifier.Outcome;
import io.parterre.frontend.auth.BearerVerifier.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bearer tokens. Source: docs/protocol.md 8.7; RFC 7519; RFC 8725. */
final class BearerVerifierTest {
    private static final Instant NOW = Instant.parse("2021-05-26T15:48:24Z");
    private static final RSAKey KEY = Issuer.rsa("k1");
    private static final RSAKey STRANGER = Issuer.rsa("k1");
    private static final ECKey CURVE = Issuer.ec("k2");

    private static Verdict verify(String token) {
        return verify(Issuer.CONFIG, token);
    }

    private static Verdict verify(BearerConfig config, String token) {
        return new BearerVerifier(config, Issuer.keys(false, KEY, CURVE)).verify(token, NOW);
    }

    private static Outcome outcome(JWTClaimsSet.Builder claims) {
        return verify(Issuer.token(KEY, claims)).outcome();
    }

    private static JWTClaimsSet.Builder claims(String... roles) {
        return Issuer.claims(NOW, roles);
    }

    @Test
    void bearerTokenIsAccepted_whenIssuerSignedItForOurAudience() {
        assertThat(outcome(claims())).isEqualTo(Outcome.ACCEPTED);
        assertThat(verify(Issuer.token(CURVE, claims())).outcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(outcome(claims().audience(Issuer.AUDIENCE + "/"))).isEqualTo(Outcome.ACCEPTED);
        assertThat(outcome(claims().audience(List.of("other", Issuer.AUDIENCE))))
                .isEqualTo(Outcome.ACCEPTED);
        assertThat(outcome(claims().notBeforeTime(null))).isEqualTo(Outcome.ACCEPTED);
        String unnamed = Issuer.token(KEY, Issuer.header(JWSAlgorithm.PS384, "at+jwt"), claims());
        assertThat(verify(unnamed).outcome()).isEqualTo(Outcome.ACCEPTED);
    }

    @Test
    void bearerTokenIsRejected_whenIssuerOrAudienceDiffers() {
        assertThat(outcome(claims().issuer("https://login.example.com/u/v2.0")))
                .isEqualTo(Outcome.REFUSED);
        assertThat(outcome(claims().issuer(Issuer.NAME + "/"))).isEqualTo(Outcome.REFUSED);
        assertThat(outcome(claims().issuer(null))).isEqualTo(Outcome.REFUSED);
        assertThat(outcome(claims().audience("https://vault.azure.net")))
                .isEqualTo(Outcome.REFUSED);
        assertThat(outcome(claims().audience((String) null))).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void bearerTokenTimesTolerateClockSkew_byUpToOneMinute() {
        assertThat(outcome(claims().expirationTime(Date.from(NOW.minusSeconds(59)))))
                .isEqualTo(Outcome.ACCEPTED);
        assertThat(outcome(claims().expirationTime(Date.from(NOW.minusSeconds(60)))))
                .isEqualTo(Outcome.REFUSED);
        assertThat(outcome(claims().notBeforeTime(Date.from(NOW.plusSeconds(60)))))
                .isEqualTo(Outcome.ACCEPTED);
        assertThat(outcome(claims().notBeforeTime(Date.from(NOW.plusSeconds(61)))))
                .isEqualTo(Outcome.REFUSED);
        assertThat(outcome(claims().expirationTime(null))).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void bearerTokenIsRejected_whenSignatureDoesNotMatchIssuerKey() {
        assertThat(verify(Issuer.token(STRANGER, claims())).outcome()).isEqualTo(Outcome.REFUSED);
        String token = Issuer.token(KEY, claims("Reader"));
        String[] parts = token.split("\\.");
        String more = Issuer.token(STRANGER, claims("Storage Table Data Contributor"));
        String swapped = parts[0] + "." + more.split("\\.")[1] + "." + parts[2];
        assertThat(verify(swapped).outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(verify(parts[0] + "." + parts[1] + ".").outcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void bearerTokenIsRejected_whenAlgorithmIsNoneOrSymmetric() throws Exception {
        String[] parts = Issuer.token(KEY, claims()).split("\\.");
        String none =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString("{\"alg\":\"none\"}".getBytes(UTF_8));
        assertThat(verify(none + "." + parts[1] + ".").outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(verify(none + "." + parts[1] + "." + parts[2]).outcome())
                .isEqualTo(Outcome.REFUSED);
        // The public key as everybody knows it, taken for a secret.
        OctetSequenceKey secret =
                new OctetSequenceKey.Builder(KEY.toRSAPublicKey().getEncoded()).keyID("k1").build();
        assertThat(verify(Issuer.token(secret, claims())).outcome()).isEqualTo(Outcome.REFUSED);
        Verdict offered =
                new BearerVerifier(Issuer.CONFIG, Issuer.keys(false, KEY, secret))
                        .verify(Issuer.token(secret, claims()), NOW);
        assertThat(offered.outcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void bearerTokenIsRejected_whenTypeIsOtherOrKeyIsForEncryption() {
        String other = Issuer.token(KEY, Issuer.header(JWSAlgorithm.RS256, "logout+jwt"), claims());
        assertThat(verify(other).outcome()).isEqualTo(Outcome.REFUSED);
        RSAKey encryption = new RSAKey.Builder(KEY).keyUse(KeyUse.ENCRYPTION).build();
        assertThat(
                        new BearerVerifier(Issuer.CONFIG, Issuer.keys(false, encryption))
                                .verify(Issuer.token(KEY, claims()), NOW)
                                .outcome())
                .isEqualTo(Outcome.REFUSED);
    }

    @Test
    void bearerTokenAwaitsKeys_whenKeyIdIsUnknownAndRefreshIsPossible() {
        BearerVerifier waiting = new BearerVerifier(Issuer.CONFIG, Issuer.keys(true, KEY));
        RSAKey next = Issuer.rsa("k9");
        assertThat(waiting.verify(Issuer.token(next, claims()), NOW).outcome())
                .isEqualTo(Outcome.AWAITED);
        assertThat(waiting.verify(Issuer.token(STRANGER, claims()), NOW).outcome())
                .isEqualTo(Outcome.REFUSED);
        assertThat(verify(Issuer.token(next, claims())).outcome()).isEqualTo(Outcome.REFUSED);
    }

    private static String permits(BearerConfig config, JWTClaimsSet.Builder claims) {
        RoleAccess access = verify(config, Issuer.token(KEY, claims)).access();
        return (access.reads() ? "r" : "") + (access.writes() ? "w" : "");
    }

    @Test
    void tokenRolesMapToReadAndWriteAccess() {
        assertThat(permits(Issuer.CONFIG, claims("Reader"))).isEqualTo("r");
        assertThat(permits(Issuer.CONFIG, claims("x", "Storage Table Data Contributor")))
                .isEqualTo("rw");
        assertThat(permits(Issuer.CONFIG, claims("reader", "Owner"))).isEmpty();
        assertThat(permits(Issuer.CONFIG, claims().claim("roles", 7))).isEmpty();
        assertThat(permits(Issuer.CONFIG, claims().claim("roles", null))).isEmpty();
        assertThat(permits(Issuer.CONFIG, claims().claim("roles", "a Reader b"))).isEqualTo("r");
        assertThat(
                        permits(
                                Issuer.CONFIG,
                                claims().claim("roles", "Storage Table Data Contributor")))
                .isEqualTo("rw");
    }

    private static BearerConfig rolesIn(String claim) {
        BearerConfig plain = Issuer.CONFIG;
        return new BearerConfig(
                plain.issuers(),
                plain.audiences(),
                plain.authorizationUri(),
                claim,
                plain.readerRoles(),
                plain.contributorRoles(),
                List.of(),
                Duration.ZERO);
    }

    @Test
    void tokenRolesAreFound_whenClaimIsNestedInObject() {
        JWTClaimsSet.Builder nested =
                claims().claim("realm_access", Map.of("roles", List.of("Reader")));
        assertThat(permits(rolesIn("realm_access.roles"), nested)).isEqualTo("r");
        assertThat(permits(rolesIn("realm_access.roles.more"), nested)).isEmpty();
        assertThat(permits(rolesIn("https://example.com/roles"), claims())).isEmpty();
        assertThat(
                        permits(
                                rolesIn("https://example.com/roles"),
                                claims().claim("https://example.com/roles", List.of("Reader"))))
                .isEqualTo("r");
    }

    @Test
    void roleGrantsDataAccessButNeverAccessPolicies() {
        RoleAccess reader = new RoleAccess(true, false);
        RoleAccess contributor = new RoleAccess(true, true);
        RoleAccess nobody = new RoleAccess(false, false);
        Optional<ErrorCode> mismatch = Optional.of(ErrorCode.AUTHORIZATION_PERMISSION_MISMATCH);
        assertThat(reader.refusal(Action.READ_ENTITIES, "t")).isEmpty();
        assertThat(reader.refusal(Action.QUERY_TABLES, "")).isEmpty();
        assertThat(reader.refusal(Action.UPSERT, "t")).isEqualTo(mismatch);
        assertThat(reader.refusal(Action.CREATE_TABLE, "")).isEqualTo(mismatch);
        assertThat(contributor.refusal(Action.DELETE_TABLE, "t")).isEmpty();
        assertThat(contributor.refusal(Action.SET_PROPERTIES, "")).isEmpty();
        assertThat(nobody.refusal(Action.READ_ENTITIES, "t")).isEqualTo(mismatch);
        assertThat(contributor.refusal(Action.GET_ACL, "t")).contains(ErrorCode.RESOURCE_NOT_FOUND);
        assertThat(contributor.refusal(Action.SET_ACL, "t")).contains(ErrorCode.RESOURCE_NOT_FOUND);
        assertThat(contributor.refusal(Action.OTHER, "")).contains(ErrorCode.AUTHORIZATION_FAILURE);
    }

    @Test
    void bearerConfigIsRejected_withEachInvalidSettingNamed() {
        assertThatThrownBy(
                        () ->
                                new BearerConfig(
                                        List.of(),
                                        List.of(),
                                        "a b",
                                        "",
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        Duration.ofHours(1)))
                .hasMessageContaining("issuers: none")
                .hasMessageContaining("audiences: none")
                .hasMessageContaining("authorizationUri: 'a b'")
                .hasMessageContaining("rolesClaim: ''")
                .hasMessageContaining("clockSkewMax: PT1H");
    }

    @Test
    void bearerTokenIsRejected_whenHeaderIsJsonNull() {
        String[] parts = Issuer.token(KEY, claims()).split("\\.");
        String none =
                Base64.getUrlEncoder().withoutPadding().encodeToString("null".getBytes(UTF_8));
        assertThat(verify(none + "." + parts[1] + "." + parts[2]).outcome())
                .isEqualTo(Outcome.REFUSED);
    }

    @Test
    void bearerTokenIsRejected_whenThereAreNoKeysAndNoneToCome() {
        assertThat(
                        new BearerVerifier(Issuer.CONFIG, TokenKeys.NONE)
                                .verify(Issuer.token(KEY, claims()), NOW)
                                .outcome())
                .isEqualTo(Outcome.REFUSED);
    }
}

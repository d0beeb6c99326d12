package io.parterre.frontend.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.RSAKey;
import io.parterre.frontend.auth.BearerVerifier.Outcome;
import java.time.Instant;
import java.util.Base64;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tokens of any text are refused, and do no other harm. */
final class BearerVerifierProperties {
    private static final Instant NOW = Instant.parse("2021-05-26T15:48:24Z");
    private static final RSAKey KEY = Issuer.rsa("k1");
    private static final String SIGNED = Issuer.token(KEY, Issuer.claims(NOW));
    private static final BearerVerifier VERIFIER =
            new BearerVerifier(Issuer.CONFIG, Issuer.keys(false, KEY));

    @Provide
    Arbitrary<String> tokens() {
        Arbitrary<String> json =
                Arbitraries.of(
                                "{",
                                "}",
                                "\"alg\"",
                                ":",
                                "\"RS256\"",
                                ",",
                                "\"iss\"",
                                "\"exp\"",
                                "1e400",
                                "-1",
                                "null",
                                "[",
                                "]",
                                "\"crit\"",
                                "\"b64\"",
                                "true",
                                "\"kid\"",
                                "\"k1\"",
                                "\"aud\"",
                                "\"\\ud800\"",
                                "\"typ\"",
                                "[[[[")
                        .list()
                        .ofMaxSize(14)
                        .map(all -> String.join("", all))
                        .map(
                                text ->
                                        Base64.getUrlEncoder()
                                                .withoutPadding()
                                                .encodeToString(text.getBytes(UTF_8)));
        Arbitrary<String> part =
                Arbitraries.oneOf(
                        json,
                        Arbitraries.strings().ofMaxLength(8),
                        Arbitraries.of(SIGNED.split("\\.")));
        return part.list().ofMaxSize(6).map(parts -> String.join(".", parts));
    }

    @Property(tries = 3_000)
    void verifierRejectsBearerToken_withArbitraryText(@ForAll("tokens") String token) {
        Outcome expected = token.equals(SIGNED) ? Outcome.ACCEPTED : Outcome.REFUSED;
        assertThat(VERIFIER.verify(token, NOW).outcome()).isEqualTo(expected);
    }
}

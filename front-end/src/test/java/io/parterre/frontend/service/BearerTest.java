package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.RSAKey;
import io.parterre.frontend.auth.BearerConfig;
import io.parterre.frontend.auth.Issuer;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Bearer tokens as clients send them. Source: docs/protocol.md 8.4 and 8.7, and recorded answers.
 */
final class BearerTest {
    private static final RSAKey KEY = Issuer.rsa("k1");
    private static final String READER =
            Issuer.token(KEY, Issuer.claims(ServiceUnderTest.NOW, "Reader"));
    private static final String CONTRIBUTOR =
            Issuer.token(
                    KEY, Issuer.claims(ServiceUnderTest.NOW, "Storage Table Data Contributor"));

    private final ServiceUnderTest service = service(Issuer.CONFIG, false);

    private static ServiceUnderTest service(BearerConfig bearer, boolean moreKeys) {
        TableServiceConfig plain = TableServiceConfig.defaults();
        return new ServiceUnderTest(
                new TableServiceConfig(
                        plain.hostSuffixes(),
                        plain.limits(),
                        plain.timeoutMax(),
                        Optional.of(bearer)),
                Issuer.keys(moreKeys, KEY));
    }

    private static HttpAnswer send(
            ServiceUnderTest service, String version, String method, String target, String token) {
        return service.sendSigned(
                method,
                target,
                HeaderList.of(
                        "Authorization",
                        "Bearer " + token,
                        "x-ms-version",
                        version,
                        "Content-Type",
                        "application/json",
                        "Accept",
                        "application/json"),
                "{\"TableName\":\"T00\",\"PartitionKey\":\"p\",\"RowKey\":\"r\"}".getBytes(UTF_8));
    }

    private String code(String method, String target, String token) {
        return code(send(service, "2019-02-02", method, target, token));
    }

    private static String code(HttpAnswer answer) {
        return (answer.status() + " " + answer.headers().first("x-ms-error-code").orElse(""))
                .strip();
    }

    @Test
    void contributorMayWriteAndReaderMayOnlyRead() {
        assertThat(code("POST", "/acct/Tables", READER))
                .isEqualTo("403 AuthorizationPermissionMismatch");
        assertThat(code("POST", "/acct/Tables", CONTRIBUTOR)).isEqualTo("201");
        assertThat(code("POST", "/acct/T00", CONTRIBUTOR)).isEqualTo("201");
        assertThat(code("POST", "/acct/T00", READER))
                .isEqualTo("403 AuthorizationPermissionMismatch");
        assertThat(code("GET", "/acct/T00()", READER)).isEqualTo("200");
        assertThat(code("GET", "/acct/Tables", READER)).isEqualTo("200");
        assertThat(code("GET", "/acct/T00(PartitionKey='p',RowKey='r')", READER)).isEqualTo("200");
        String nobody = Issuer.token(KEY, Issuer.claims(ServiceUnderTest.NOW));
        assertThat(code("GET", "/acct/T00()", nobody))
                .isEqualTo("403 AuthorizationPermissionMismatch");
    }

    @Test
    void accessPoliciesAreNotFound_withBearerToken() {
        HttpAnswer answer = send(service, "2019-02-02", "GET", "/acct/T00?comp=acl", CONTRIBUTOR);
        assertThat(code(answer)).isEqualTo("404 ResourceNotFound");
        assertThat(answer.headers().first("Content-Type")).contains("application/xml");
        assertThat(answer.headers().first("x-ms-version")).contains("2019-02-02");
        assertThat(code("PUT", "/acct/T00?comp=acl", CONTRIBUTOR))
                .isEqualTo("404 ResourceNotFound");
    }

    @Test
    void invalidBearerTokenIsChallenged_whenApiVersionSupportsIt() {
        HttpAnswer young = send(service, "2020-12-06", "GET", "/acct/Tables", "abc.def.ghi");
        assertThat(code(young)).isEqualTo("401 InvalidAuthenticationInfo");
        assertThat(young.reason())
                .isEqualTo(
                        "Server failed to authenticate the request. Please refer to the"
                                + " information in the www-authenticate header.");
        assertThat(young.headers().first("WWW-Authenticate"))
                .contains(
                        "Bearer authorization_uri=https://login.example.com/t/oauth2/authorize"
                                + " resource_id=https://storage.azure.com");
        assertThat(young.headers().has("x-ms-version")).isFalse();
        HttpAnswer old = send(service, "2019-07-07", "GET", "/acct/Tables", "abc.def.ghi");
        assertThat(code(old)).isEqualTo("403 AuthenticationFailed");
        assertThat(old.headers().has("WWW-Authenticate")).isFalse();
    }

    @Test
    void bearerChallengeNamesFirstAudience_withoutTrailingSlash() {
        BearerConfig plain = Issuer.CONFIG;
        BearerConfig own =
                new BearerConfig(
                        plain.issuers(),
                        List.of("api://tables/", "api://tables"),
                        plain.authorizationUri(),
                        plain.rolesClaim(),
                        plain.readerRoles(),
                        plain.contributorRoles(),
                        List.of(),
                        Duration.ZERO);
        HttpAnswer answer = send(service(own, false), "2020-12-06", "GET", "/acct/Tables", "x");
        assertThat(answer.headers().first("WWW-Authenticate").orElseThrow())
                .endsWith(" resource_id=api://tables");
    }

    @Test
    void tokenIsRejected_whenAccountIsUnknownSuspendedOrExcluded() {
        assertThat(code("GET", "/nobody/Tables", READER)).isEqualTo("403 AuthenticationFailed");
        assertThat(code("GET", "/asleep/Tables", READER)).isEqualTo("403 AccountIsDisabled");
        BearerConfig plain = Issuer.CONFIG;
        BearerConfig others =
                new BearerConfig(
                        plain.issuers(),
                        plain.audiences(),
                        plain.authorizationUri(),
                        plain.rolesClaim(),
                        plain.readerRoles(),
                        plain.contributorRoles(),
                        List.of("other"),
                        Duration.ZERO);
        HttpAnswer answer =
                send(service(others, false), "2019-02-02", "GET", "/acct/Tables", READER);
        assertThat(code(answer)).isEqualTo("403 AuthenticationFailed");
    }

    @Test
    void requestIsBusyWithRetryAfter_whenSigningKeyMayStillArrive() {
        String next = Issuer.token(Issuer.rsa("k2"), Issuer.claims(ServiceUnderTest.NOW, "Reader"));
        HttpAnswer answer =
                send(service(Issuer.CONFIG, true), "2020-12-06", "GET", "/acct/Tables", next);
        assertThat(code(answer)).isEqualTo("503 ServerBusy");
        assertThat(answer.headers().first("Retry-After")).contains("1");
    }
}

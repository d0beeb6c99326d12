package io.parterre.frontend.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.ErrorCode;
import io.parterre.frontend.call.HeaderList;
import io.parterre.key.AccountId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SharedKeyTest {
    private static final String DATE = "Sun, 11 Oct 2009 19:52:39 GMT";
    private static final Instant NOW = Instant.parse("2009-10-11T19:53:00Z");
    private static final byte[] KEY =
            Base64.getDecoder()
                    .decode(
                            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFP"
                                    + "TOtr/KBHBeksoGMGw==");

    private static SignedRequest request(String method, String path, HeaderList headers) {
        return new SignedRequest(
                method,
                path,
                Optional.empty(),
                "testaccount1",
                Optional.empty(),
                Optional.empty(),
                headers);
    }

    private static Authentication authenticate(SignedRequest request, byte[]... keys) {
        return authenticate(request, NOW, keys);
    }

    private static Authentication authenticate(SignedRequest request, Instant now, byte[]... keys) {
        Account account = new Account(new AccountId(1), "testaccount1", List.of(keys), false);
        return new Authenticator(
                        name -> Optional.of(account).filter(a -> a.name().equals(name)),
                        Optional.empty(),
                        TokenKeys.NONE,
                        Duration.ofMinutes(15))
                .authenticate(request, now);
    }

    /** Source: docs/protocol.md 8.2, the documented example. */
    @Test
    void stringToSignMatchesDocumentedExample_forSharedKeyLite() {
        SignedRequest request = request("GET", "/Tables", HeaderList.of("x-ms-date", DATE));
        assertThat(StringToSign.of(request, true, DATE, "/Tables"))
                .isEqualTo("Sun, 11 Oct 2009 19:52:39 GMT\n/testaccount1/Tables");
    }

    @Test
    void stringToSignCoversVerbMd5TypeDateResource_forSharedKey() {
        SignedRequest stats =
                new SignedRequest(
                        "GET",
                        "/",
                        Optional.of("stats"),
                        "acct",
                        Optional.empty(),
                        Optional.empty(),
                        HeaderList.EMPTY);
        assertThat(StringToSign.of(stats, false, DATE, "/"))
                .isEqualTo("GET\n\n\n" + DATE + "\n/acct/?comp=stats");
        SignedRequest post =
                request("POST", "/T", HeaderList.of("content-type", "a; b", "Content-MD5", "m"));
        assertThat(StringToSign.of(post, false, DATE, "/T"))
                .isEqualTo("POST\nm\na; b\n" + DATE + "\n/testaccount1/T");
    }

    /** Signatures computed with OpenSSL from the public development key. */
    @Test
    void requestIsGranted_withSignatureComputedByOpenssl() {
        HeaderList lite =
                HeaderList.of(
                        "x-ms-date", DATE, "Authorization", "SharedKeyLite testaccount1:LITE");
        assertThat(authenticate(request("GET", "/Tables", with(lite, "LITE", LITE)), KEY))
                .isInstanceOf(Authentication.Granted.class);
        HeaderList full =
                HeaderList.of(
                        "Date",
                        DATE,
                        "Content-Type",
                        "application/json",
                        "Authorization",
                        "sharedkey testaccount1:FULL");
        assertThat(authenticate(request("POST", "/Tables", with(full, "FULL", FULL)), KEY))
                .isInstanceOf(Authentication.Granted.class);
    }

    private static final String LITE = "J0rgyDtNy3BXUcIppqbP9j2HX0i+JZ3q2oF6/P8yocE=";
    private static final String FULL = "TTOFCglAj2dMEpcFcWHliFk2z9Tp2LBLicXbO5Ru9QM=";

    private static HeaderList with(HeaderList headers, String placeholder, String signature) {
        return new HeaderList(
                headers.headers().stream()
                        .map(
                                header ->
                                        new HeaderList.Header(
                                                header.name(),
                                                header.value().replace(placeholder, signature)))
                        .toList());
    }

    @Test
    void requestIsGranted_byEitherAccountKeyOnly() {
        HeaderList headers =
                HeaderList.of(
                        "x-ms-date", DATE, "Authorization", "SharedKeyLite testaccount1:" + LITE);
        byte[] other = "other".getBytes(UTF_8);
        SignedRequest request = request("GET", "/Tables", headers);
        assertThat(authenticate(request, other, KEY)).isInstanceOf(Authentication.Granted.class);
        assertThat(authenticate(request, KEY, other)).isInstanceOf(Authentication.Granted.class);
        assertThat(authenticate(request, other))
                .isEqualTo(Authentication.Denied.of(ErrorCode.AUTHENTICATION_FAILED));
    }

    @Test
    void requestIsDenied_whenSignedForOtherPathOrVerb() {
        HeaderList headers =
                HeaderList.of(
                        "x-ms-date", DATE, "Authorization", "SharedKeyLite testaccount1:" + LITE);
        assertThat(authenticate(request("GET", "/tables", headers), KEY))
                .isInstanceOf(Authentication.Denied.class);
        HeaderList full =
                HeaderList.of(
                        "x-ms-date",
                        DATE,
                        "Content-Type",
                        "application/json",
                        "Authorization",
                        "SharedKey testaccount1:" + FULL);
        assertThat(authenticate(request("POST", "/Tables", full), KEY))
                .isInstanceOf(Authentication.Granted.class);
        assertThat(authenticate(request("PUT", "/Tables", full), KEY))
                .isInstanceOf(Authentication.Denied.class);
    }

    private static SignedRequest dated(String... dates) {
        String[] headers = Arrays.copyOf(dates, dates.length + 2);
        headers[dates.length] = "Authorization";
        headers[dates.length + 1] = "SharedKeyLite testaccount1:" + LITE;
        return request("GET", "/Tables", HeaderList.of(headers));
    }

    @Test
    void requestIsDenied_whenDateIsNotTheSignedOne() {
        assertThat(authenticate(dated("x-ms-date", DATE), KEY))
                .isInstanceOf(Authentication.Granted.class);
        assertThat(authenticate(dated("Date", DATE), KEY))
                .isInstanceOf(Authentication.Granted.class);
        String second = "Sun, 11 Oct 2009 19:52:40 GMT";
        for (SignedRequest other :
                List.of(
                        dated("x-ms-date", second),
                        dated("Date", second),
                        dated("x-ms-date", second, "Date", DATE),
                        dated("x-ms-date", "now"),
                        dated())) {
            assertThat(authenticate(other, KEY))
                    .as("%s", other.headers())
                    .isEqualTo(Authentication.Denied.of(ErrorCode.AUTHENTICATION_FAILED));
        }
    }

    @Test
    void requestIsDenied_whenDateIsFurtherOffThanClocksMayBe() {
        Instant signed = Instant.parse("2009-10-11T19:52:39Z");
        SignedRequest request = dated("x-ms-date", DATE);
        for (Duration off : List.of(Duration.ofMinutes(15), Duration.ofMinutes(-15))) {
            assertThat(authenticate(request, signed.plus(off), KEY))
                    .isInstanceOf(Authentication.Granted.class);
            Instant further = signed.plus(off).plusSeconds(off.isNegative() ? -1 : 1);
            assertThat(authenticate(request, further, KEY))
                    .isEqualTo(Authentication.Denied.of(ErrorCode.AUTHENTICATION_FAILED));
        }
    }

    @Test
    void accountToStringOmitsKeys() {
        Account account = new Account(new AccountId(1), "a", List.of(KEY), false);
        assertThat(account.toString()).isEqualTo("Account[accountId=1, name=a]");
    }

    @Test
    void requestIsDenied_whenCredentialLacksAccountOrSignature() {
        for (String credential :
                List.of(
                        "SharedKeyLite :" + LITE,
                        "SharedKeyLite testaccount1:",
                        "SharedKeyLite testaccount1: ")) {
            SignedRequest request =
                    request(
                            "GET",
                            "/Tables",
                            HeaderList.of("x-ms-date", DATE, "Authorization", credential));
            assertThat(authenticate(request, KEY))
                    .as(credential)
                    .isInstanceOf(Authentication.Denied.class);
        }
    }
}

package io.parterre.frontend.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.http.HttpRefusal;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the server refuses by itself looks like what the service refuses. Source: docs/protocol.md
 * 10.
 */
final class HttpRefusalWordingTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2021-05-26T15:48:24.25072Z"));
    private static final String LAST_LINES = "RequestId:r\nTime:2021-05-26T15:48:24.2507200Z";

    private final HttpRefusalWording wording = new HttpRefusalWording(CLOCK, () -> "r");

    @ParameterizedTest
    @EnumSource(HttpRefusal.class)
    void httpErrorHasProtocolFormat_forEveryRejection(HttpRefusal refusal) {
        HttpAnswer answer = wording.answer(refusal, HeaderList.EMPTY);
        assertThat(answer.status()).isEqualTo(refusal.status());
        assertThat(answer.reason()).isEqualTo(refusal.text());
        assertThat(ServiceUnderTest.text(answer.body()))
                .isEqualTo(
                        "{\"odata.error\":{\"code\":\""
                                + refusal.code()
                                + "\",\"message\":{\"lang\":\"en-US\",\"value\":\""
                                + refusal.text()
                                + "\\n"
                                + LAST_LINES.replace("\n", "\\n")
                                + "\"}}}");
        assertThat(ServiceUnderTest.lines(answer.headers()))
                .contains(
                        "Content-Type: application/json",
                        "Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0",
                        "x-ms-error-code: " + refusal.code(),
                        "x-ms-request-id: r",
                        "x-ms-version: 2020-12-06");
        assertThat(answer.headers().has("Retry-After")).isEqualTo(refusal == HttpRefusal.BUSY);
    }

    @Test
    void httpErrorUsesFormatVersionAndIdOfRequest_whenReadable() {
        HeaderList request =
                HeaderList.of(
                        "Accept",
                        "application/xml",
                        "x-ms-version",
                        "2019-02-02",
                        "x-ms-client-request-id",
                        "mine");
        HttpAnswer answer = wording.answer(HttpRefusal.BODY_TOO_LARGE, request);
        assertThat(ServiceUnderTest.text(answer.body()))
                .contains("<m:code>RequestBodyTooLarge</m:code>")
                .contains(HttpRefusal.BODY_TOO_LARGE.text() + "\n" + LAST_LINES + "</m:message>");
        assertThat(ServiceUnderTest.lines(answer.headers()))
                .contains(
                        "Content-Type: application/xml",
                        "x-ms-client-request-id: mine",
                        "x-ms-version: 2019-02-02");
    }

    @Test
    void httpErrorCarriesDefaultVersion_whenRequestVersionIsInvalid() {
        HeaderList request = HeaderList.of("x-ms-version", "tomorrow");
        assertThat(wording.answer(HttpRefusal.MALFORMED, request).headers().first("x-ms-version"))
                .contains("2020-12-06");
    }
}

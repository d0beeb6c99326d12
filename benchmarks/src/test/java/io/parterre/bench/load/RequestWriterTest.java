package io.parterre.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;

final class RequestWriterTest {
    private static final long THURSDAY = 1_767_225_600_999L;

    private final RequestWriter requests = new RequestWriter(Endpoint.onLoopback(10002));
    private final ByteText out = new ByteText(16);

    @Test
    void readRequestIsSignedOverPath_withoutQuery() {
        requests.setTime(THURSDAY);
        requests.path().put("orders()");
        requests.query().put("$top=1");
        requests.write("GET", RequestWriter.headers("Accept", "application/json"), out);

        // Signature by: printf 'DATE\n/devstoreaccount1/devstoreaccount1/orders()' | openssl dgst
        // -sha256 -mac HMAC -macopt hexkey:KEY -binary | base64
        assertThat(out.toString())
                .isEqualTo(
                        """
                        GET /devstoreaccount1/orders()?$top=1 HTTP/1.1
                        Host: 127.0.0.1:10002
                        x-ms-date: Thu, 01 Jan 2026 00:00:00 GMT
                        Authorization: SharedKeyLite devstoreaccount1:JceX+IQn4IpbQ1HoGrNvJVCSIvIw0QYDmVAB3/+vk1w=
                        x-ms-version: 2019-02-02
                        DataServiceVersion: 3.0
                        Accept: application/json

                        """
                                .replace("\n", "\r\n"));
    }

    @Test
    void contentLengthIsWritten_forRequestWithBodyOnly() {
        requests.setTime(THURSDAY);
        requests.path().put("orders");
        requests.body().put("{}");
        requests.write("POST", RequestWriter.headers(), out);
        assertThat(out.toString()).endsWith("\r\nContent-Length: 2\r\n\r\n{}");

        out.clear();
        requests.path().put("orders");
        requests.write("GET", RequestWriter.headers(), out);
        assertThat(out.toString()).doesNotContain("Content-Length").endsWith("\r\n\r\n");
    }

    @Test
    void requestIsSignedAgain_whenSecondChanges() {
        requests.setTime(THURSDAY);
        requests.path().put("orders");
        requests.write("GET", RequestWriter.headers(), out);
        String first = out.toString();

        out.clear();
        requests.setTime(THURSDAY + 1);
        requests.path().put("orders");
        requests.write("GET", RequestWriter.headers(), out);
        assertThat(out.toString()).contains("00:00:01 GMT").isNotEqualTo(first);
    }

    @Test
    void endpointParsesHostStyleAndPathStyleUrls() {
        Endpoint hostStyle = Endpoint.of(URI.create("http://acct.example"), "acct", "AAAA");
        assertThat(hostStyle.basePath()).isEmpty();
        assertThat(hostStyle.port()).isEqualTo(80);
        Endpoint pathStyle = Endpoint.of(URI.create("http://h:1/acct/"), "acct", "AAAA");
        assertThat(pathStyle.basePath()).isEqualTo("/acct");
        assertThatThrownBy(() -> Endpoint.of(URI.create("https://h"), "acct", "AAAA"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

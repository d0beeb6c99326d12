package io.parterre.frontend.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.CallNotes.Phase;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.RequestHead;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of the request log. */
class RequestLineTest {
    private static String line(RequestRecord request) {
        return new String(RequestLine.of(request), UTF_8);
    }

    @Test
    void lineHasFieldsOfStorageAnalytics_inTheirOrder() {
        RequestHead head =
                new RequestHead(
                        "PUT",
                        "/acc/people(PartitionKey='p',RowKey='r')?timeout=5",
                        HeaderList.of(
                                "Host", "tables.example.com",
                                "Authorization", "SharedKey acc:c2VjcmV0",
                                "x-ms-version", "2019-02-02",
                                "If-Match", "W/\"1\"",
                                "User-Agent", "sdk \"7\"",
                                "x-ms-client-request-id", "mine"),
                        InetAddress.getLoopbackAddress());
        List<RequestRecord> told = new ArrayList<>();
        long[] now = {0};
        ObservedCall call = new ObservedCall(head, Requests.STARTED, () -> now[0], told::add);
        now[0] = 2_000_000;
        call.received(100);
        call.operation("UpdateEntity", "acc", "/acc/people(PartitionKey='p',RowKey='r')");
        call.caller("acc", "key2", "");
        call.written("people", "p");
        now[0] = 7_500_000;
        HeaderList headers = HeaderList.of("x-ms-request-id", "r-1", "ETag", "W/\"2\"");
        call.answered(new HttpAnswer(204, "No Content", headers, new byte[0]), 150, 0);
        now[0] = 8_000_000;
        call.ended(true);

        assertThat(line(told.get(0)))
                .isEqualTo(
                        "{\"version-number\":\"2.0\","
                                + "\"request-start-time\":\"2026-11-30T08:09:10.1234567Z\","
                                + "\"operation-type\":\"UpdateEntity\","
                                + "\"request-status\":\"Success\","
                                + "\"http-status-code\":204,"
                                + "\"end-to-end-latency-in-ms\":8,"
                                + "\"server-latency-in-ms\":5,"
                                + "\"authentication-type\":\"authenticated\","
                                + "\"requester-account-name\":\"acc\","
                                + "\"owner-account-name\":\"acc\","
                                + "\"service-type\":\"table\","
                                + "\"request-url\":\"tables.example.com"
                                + "/acc/people(PartitionKey='p',RowKey='r')?timeout=5\","
                                + "\"requested-object-key\":"
                                + "\"/acc/people(PartitionKey='p',RowKey='r')\","
                                + "\"request-id-header\":\"r-1\","
                                + "\"operation-count\":0,"
                                + "\"requester-ip-address\":\"127.0.0.1\","
                                + "\"request-version-header\":\"2019-02-02\","
                                + "\"request-header-size\":"
                                + head.sizeBytes()
                                + ",\"request-packet-size\":"
                                + (head.sizeBytes() + 100)
                                + ",\"response-header-size\":150,"
                                + "\"response-packet-size\":150,"
                                + "\"request-content-length\":100,"
                                + "\"request-md5\":\"\","
                                + "\"server-md5\":\"\","
                                + "\"etag-identifier\":\"W/\\\"2\\\"\","
                                + "\"last-modified-time\":\"\","
                                + "\"conditions-used\":\"If-Match=W/\\\"1\\\"\","
                                + "\"user-agent-header\":\"sdk \\\"7\\\"\","
                                + "\"referrer-header\":\"\","
                                + "\"client-request-id\":\"mine\","
                                + "\"account-key\":\"key2\","
                                + "\"sas-fingerprint\":\"\","
                                + "\"written-table\":\"people\","
                                + "\"written-partition-key\":\"p\","
                                + "\"error-code\":\"\"}\n");
    }

    @Test
    void headSizeIsThatOnTheWire() {
        String wire = "GET /a HTTP/1.1\r\nHost: h\r\nX: yz\r\n\r\n";
        assertThat(Requests.head("/a", "Host", "h", "X", "yz").sizeBytes())
                .isEqualTo(wire.length());
    }

    /** Clients put addresses into headers as well. */
    @Test
    void lineHoldsNoSignatureAndNoKey() {
        String address = "https://h/acc/t?sv=1&sig=SECRET&sp=r";
        RequestHead head =
                Requests.head(
                        "/acc/t?sv=1&sig=SECRET&sp=r",
                        "Host",
                        "h",
                        "Authorization",
                        "SharedKey acc:SECRET",
                        "Referer",
                        address,
                        "User-Agent",
                        address,
                        "x-ms-version",
                        "?sig=SECRET",
                        "Content-MD5",
                        "sig=SECRET",
                        "If-Match",
                        address,
                        "x-ms-client-request-id",
                        "s%69g=SECRET");
        RequestRecord request =
                Requests.answered(head, 200, "ETag", address, "x-ms-request-id", "r-1");
        assertThat(line(request)).doesNotContain("SECRET").contains("h/acc/t?sv=1&sig=XXXXX&sp=r");
    }

    @Test
    void lineStaysOneLine_whenHeadersHoldControlCharacters() {
        RequestHead head = Requests.head("/a/t", "User-Agent", "a\r\nb\u0000\u2028");
        assertThat(line(Requests.answered(head, 200)).strip().lines()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "200, '', Success",
        "204, '', Success",
        "404, ResourceNotFound, ClientOtherError",
        "412, UpdateConditionNotSatisfied, ClientOtherError",
        "403, AuthenticationFailed, AuthorizationError",
        "401, NoAuthenticationInformation, AuthorizationError",
        "500, OperationTimedOut, ServerTimeoutError",
        "500, InternalError, ServerOtherError",
        "501, NotImplemented, ServerOtherError",
        "503, ServerBusy, ThrottlingError"
    })
    void requestStatusFollowsAnswer(int status, String code, String word) {
        String[] key = {"Authorization", "SharedKey a:b"};
        RequestHead byKey = Requests.head("/a/t", key);
        assertThat(RequestStatus.of(Requests.answered(byKey, status, "x-ms-error-code", code)))
                .isEqualTo(word);
        RequestHead bySignature = Requests.head("/a/t?sig=x");
        assertThat(
                        RequestStatus.of(
                                Requests.answered(bySignature, status, "x-ms-error-code", code)))
                .isEqualTo("SAS" + word);
        RequestHead anonymous = Requests.head("/a/t");
        assertThat(RequestStatus.of(Requests.answered(anonymous, status, "x-ms-error-code", code)))
                .isEqualTo("Anonymous" + word);
    }

    @Test
    void requestStatusIsNetworkError_whenClientGoesAway() {
        List<RequestRecord> told = new ArrayList<>();
        RequestHead head = Requests.head("/a/t", "Authorization", "SharedKey a:b");
        ObservedCall call = new ObservedCall(head, Requests.STARTED, () -> 0, told::add);
        call.enter(Phase.RANGE);
        call.ended(false);
        call.ended(true);
        assertThat(told).hasSize(1);
        assertThat(RequestStatus.of(told.get(0))).isEqualTo("NetworkError");
        assertThat(line(told.get(0))).contains("\"http-status-code\":0");
    }
}

package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.error.Throttle;
import io.parterre.frontend.auth.AccountsTrust;
import io.parterre.frontend.auth.BearerConfig;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TableServiceTest {
    private static final byte[] NOTHING = new byte[0];
    private static final HeaderList JSON =
            HeaderList.of("Content-Type", "application/json", "Prefer", "return-no-content");

    private final ServiceUnderTest service = new ServiceUnderTest();

    private HttpAnswer post(String target, String body) {
        return service.sendSigned("POST", target, JSON, body.getBytes(UTF_8));
    }

    private HttpAnswer get(String target) {
        return service.sendSigned("GET", target, HeaderList.EMPTY, NOTHING);
    }

    private static String code(HttpAnswer answer) {
        return answer.status() + " " + answer.headers().first("x-ms-error-code").orElse("");
    }

    @Test
    void deadlineIsTimeoutParameterCappedAtMaximum() {
        get("/acct/Tables");
        assertThat(service.store.lastDeadline)
                .isEqualTo(ServiceUnderTest.NOW.plus(Duration.ofSeconds(30)));
        get("/acct/Tables?timeout=7");
        assertThat(service.store.lastDeadline)
                .isEqualTo(ServiceUnderTest.NOW.plus(Duration.ofSeconds(7)));
        get("/acct/Tables?timeout=90");
        assertThat(service.store.lastDeadline)
                .isEqualTo(ServiceUnderTest.NOW.plus(Duration.ofSeconds(30)));
    }

    @Test
    void busyResponseHasRetryAfter() {
        service.store.failure = Optional.of(new StorageException(ErrorCode.SERVER_BUSY));
        HttpAnswer answer = get("/acct/T00()");
        assertThat(code(answer)).isEqualTo("503 ServerBusy");
        assertThat(answer.headers().first("Retry-After")).contains("1");
    }

    @Test
    void callsAreRefusedAsBusy_onceAccountsAreTooOld() {
        service.trust = AccountsTrust.AGING;
        assertThat(get("/acct/Tables").status()).isEqualTo(200);
        service.trust = AccountsTrust.EXPIRED;
        HttpAnswer answer = get("/acct/Tables");
        assertThat(code(answer)).isEqualTo("503 ServerBusy");
        assertThat(answer.headers().first("Retry-After")).contains("5");
        assertThat(answer.headers().first("parterre-busy-reason")).contains("accounts out of date");
    }

    @Test
    void busyResponseCarriesReasonAndRetryAfter_forEachFormat() {
        service.store.failure =
                Optional.of(
                        new StorageException(
                                new Throttle(BusyReason.HOT_PARTITION, Duration.ofMillis(1_001))));
        HttpAnswer json = get("/acct/T00()");
        HttpAnswer xml =
                service.sendSigned(
                        "DELETE",
                        "/acct/T00(PartitionKey='p',RowKey='r')",
                        HeaderList.of("Accept", "application/xml", "If-Match", "*"),
                        NOTHING);
        HttpAnswer settings = get("/acct/?restype=service&comp=properties");
        for (HttpAnswer answer : List.of(json, xml, settings, batch(3))) {
            assertThat(code(answer)).isEqualTo("503 ServerBusy");
            assertThat(answer.headers().first("Retry-After")).contains("2");
            assertThat(answer.headers().first("parterre-busy-reason")).contains("hot partition");
        }
        assertThat(ServiceUnderTest.text(json.body()))
                .startsWith("{\"odata.error\":{\"code\":\"ServerBusy\"");
        assertThat(ServiceUnderTest.text(xml.body()))
                .startsWith("<?xml")
                .contains("<code>ServerBusy</code>");
        assertThat(ServiceUnderTest.text(settings.body()))
                .startsWith("<?xml")
                .contains("<m:code>ServerBusy</m:code>");
    }

    @Test
    void callIsBusyBeforeExecution_whenAccountHoldsMoreThanShare() {
        post("/acct/Tables", "{\"TableName\":\"T00\"}");
        List<String> charged = new ArrayList<>();
        service.memory =
                new CallMemory() {
                    @Override
                    public boolean chargeTo(String account) {
                        charged.add(account);
                        return false;
                    }

                    @Override
                    public boolean gather(long bytes) {
                        throw new AssertionError("executed");
                    }
                };
        HttpAnswer answer = post("/acct/Tables", "{\"TableName\":\"T01\"}");
        assertThat(code(answer)).isEqualTo("503 ServerBusy");
        assertThat(answer.headers().first("Retry-After")).contains("1");
        assertThat(answer.headers().first("parterre-busy-reason")).contains("front end");
        assertThat(charged).containsExactly("acct");

        HttpAnswer unknown =
                service.sendSigned(
                        "GET",
                        "/acct/Tables",
                        HeaderList.of("Authorization", "SharedKey acct:AAAA"),
                        NOTHING);
        assertThat(unknown.status()).isEqualTo(403);
        assertThat(charged).as("told only of who is known").hasSize(1);
        service.memory = CallMemory.UNCOUNTED;
        assertThat(ServiceUnderTest.text(get("/acct/Tables").body())).doesNotContain("T01");
    }

    /** An answer of many times what is stored. */
    @Test
    void queryIsAnsweredAsBusy_whenItsAnswerOutgrowsMemory() {
        post("/acct/Tables", "{\"TableName\":\"T00\"}");
        for (int i = 0; i < 20; i++) {
            post("/acct/T00", "{\"PartitionKey\":\"p\",\"RowKey\":\"" + i + "\"}");
        }
        List<Long> gathered = new ArrayList<>();
        service.memory =
                new CallMemory() {
                    @Override
                    public boolean chargeTo(String account) {
                        return true;
                    }

                    @Override
                    public boolean gather(long bytes) {
                        gathered.add(bytes);
                        return bytes <= 32 * 1_024;
                    }
                };
        String missing =
                IntStream.range(0, 100)
                        .mapToObj(i -> "n".repeat(40) + i)
                        .collect(Collectors.joining(","));
        HttpAnswer answer = get("/acct/T00()?$select=" + missing);
        assertThat(code(answer)).isEqualTo("503 ServerBusy");
        assertThat(answer.headers().first("parterre-busy-reason")).contains("front end");
        assertThat(gathered.get(gathered.size() - 1)).isGreaterThan(32 * 1_024);
        assertThat(get("/acct/T00()").status()).isEqualTo(200);
    }

    @Test
    void insertIsAnsweredAsBusy_whenDiskIsNearlyFull() {
        service.store.failure =
                Optional.of(
                        new StorageException(
                                new Throttle(BusyReason.DISK_SPACE, Duration.ofMillis(250))));
        HttpAnswer answer = post("/acct/T00", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
        assertThat(code(answer)).isEqualTo("503 ServerBusy");
        assertThat(answer.headers().first("Retry-After")).contains("1");
        assertThat(answer.headers().first("parterre-busy-reason")).contains("disk nearly full");
    }

    @Test
    void timeoutResponseHasNoRetryAfter() {
        service.store.failure = Optional.of(new StorageException(ErrorCode.OPERATION_TIMED_OUT));
        HttpAnswer answer = get("/acct/T00()");
        assertThat(code(answer)).isEqualTo("500 OperationTimedOut");
        assertThat(answer.headers().has("Retry-After")).isFalse();
    }

    @Test
    void internalErrorResponseHidesExceptionText() {
        service.store.failure = Optional.of(new IllegalStateException("secret of ours"));
        HttpAnswer answer = get("/acct/T00()");
        assertThat(code(answer)).isEqualTo("500 InternalError");
        assertThat(ServiceUnderTest.text(answer.body()))
                .contains("The server encountered an internal error. Please retry the request.")
                .doesNotContain("secret");
    }

    @Test
    void batchFailsAsWhole_whenStoreIsBusy() {
        service.store.failure = Optional.of(new StorageException(ErrorCode.SERVER_BUSY));
        HttpAnswer answer = batch(1);
        assertThat(code(answer)).isEqualTo("503 ServerBusy");
        assertThat(answer.headers().first("Retry-After")).contains("1");
        assertThat(ServiceUnderTest.text(answer.body())).startsWith("{\"odata.error\":");
    }

    @Test
    void batchIsRejectedAtIndex99_whenItExceeds100Operations() {
        post("/acct/Tables", "{\"TableName\":\"T00\"}");
        assertThat(ServiceUnderTest.text(batch(100).body()))
                .contains("RowKey='99'")
                .doesNotContain("odata.error");
        String refused = ServiceUnderTest.text(batch(103).body());
        assertThat(refused)
                .contains("HTTP/1.1 400 Bad Request")
                .contains(
                        "\"value\":\"99:The batch request operation exceeds the maximum 100 changes"
                                + " per change set.\\n");
        assertThat(refused.split("HTTP/1.1 ", -1)).hasSize(2);
    }

    private HttpAnswer batch(int operations) {
        StringBuilder body = new StringBuilder("--b\nContent-Type: multipart/mixed; boundary=c\n");
        for (int i = 0; i < operations; i++) {
            body.append("\n--c\n\nPOST /acct/T00 HTTP/1.1\nPrefer: return-no-content\n\n")
                    .append("{\"PartitionKey\":\"p\",\"RowKey\":\"" + i + "\"}");
        }
        body.append("\n--c--\n--b--");
        return sendBatch(body.toString());
    }

    private HttpAnswer sendBatch(String body) {
        return service.sendSigned(
                "POST",
                "/acct/$batch",
                HeaderList.of("Content-Type", "multipart/mixed; boundary=b"),
                body.getBytes(UTF_8));
    }

    @Test
    void bodyIsRejectedWith413_whenLargerThan4MiB() {
        assertThat(code(sendBatch("x".repeat((4 << 20) + 1)))).isEqualTo("413 RequestBodyTooLarge");
        assertThat(code(sendBatch("x".repeat(4 << 20)))).isEqualTo("400 InvalidInput");
        assertThat(code(post("/acct/T00", " ".repeat((4 << 20) + 1))))
                .isEqualTo("413 RequestBodyTooLarge");
    }

    @Test
    void entityIsRejected_whenLargerThan1MiB() {
        post("/acct/Tables", "{\"TableName\":\"T00\"}");
        // 4 + 2 * 2 + 15 * (8 + 2 * 3 + 2 * 32768 + 4) leaves 1,048,576 - 983,318 - 18 for the
        // last.
        int left = (1_048_576 - 8 - 15 * (18 + 65_536) - 18) / 2;
        assertThat(left).isLessThan(32_768);
        assertThat(code(post("/acct/T00", bigEntity(left)))).isEqualTo("204 ");
        assertThat(code(post("/acct/T00", bigEntity(left + 1)))).isEqualTo("400 EntityTooLarge");
    }

    private static String bigEntity(int charsOfLast) {
        StringBuilder body = new StringBuilder("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"");
        for (int i = 10; i < 25; i++) {
            body.append(",\"p" + i + "\":\"" + "x".repeat(32_768) + "\"");
        }
        return body.append(",\"p25\":\"" + "x".repeat(charsOfLast) + "\"}").toString();
    }

    @Test
    void entityIsRejected_whenValueNameOrKeyExceedsLimit() {
        post("/acct/Tables", "{\"TableName\":\"T00\"}");
        assertThat(code(post("/acct/T00", entity("1", "\"a\":\"" + "é".repeat(32_768) + "\""))))
                .isEqualTo("204 ");
        assertThat(code(post("/acct/T00", entity("2", "\"a\":\"" + "é".repeat(32_769) + "\""))))
                .isEqualTo("400 PropertyValueTooLarge");
        assertThat(code(post("/acct/T00", entity("3", binary(65_536))))).isEqualTo("204 ");
        assertThat(code(post("/acct/T00", entity("4", binary(65_537)))))
                .isEqualTo("400 PropertyValueTooLarge");
        assertThat(code(post("/acct/T00", entity("5", "\"" + "a".repeat(255) + "\":1"))))
                .isEqualTo("204 ");
        assertThat(code(post("/acct/T00", entity("6", "\"" + "a".repeat(256) + "\":1"))))
                .isEqualTo("400 PropertyNameTooLong");
        assertThat(code(post("/acct/T00", entity("k".repeat(1_024), "\"a\":1")))).isEqualTo("204 ");
        assertThat(code(post("/acct/T00", entity("k".repeat(1_025), "\"a\":1"))))
                .isEqualTo("400 PropertyValueTooLarge");
    }

    private static String entity(String rowKey, String member) {
        return "{\"PartitionKey\":\"p\",\"RowKey\":\"" + rowKey + "\"," + member + "}";
    }

    private static String binary(int bytes) {
        String base64 = java.util.Base64.getEncoder().encodeToString(new byte[bytes]);
        return "\"b@odata.type\":\"Edm.Binary\",\"b\":\"" + base64 + "\"";
    }

    @Test
    void nullPropertiesDoNotCountAgainstPropertyLimit() {
        post("/acct/Tables", "{\"TableName\":\"T00\"}");
        assertThat(code(post("/acct/T00", properties("1", 252, "\"z\":null")))).isEqualTo("204 ");
        assertThat(code(post("/acct/T00", properties("2", 252, "\"z\":1"))))
                .isEqualTo("400 TooManyProperties");
    }

    private static String properties(String rowKey, int count, String last) {
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < count; i++) {
            members.append("\"p" + i + "\":" + i + ",");
        }
        return entity(rowKey, members + last);
    }

    @Test
    void keyConditionsBecomeScanInterval_withoutResidualFilter() {
        post("/acct/Tables", "{\"TableName\":\"T00\"}");
        get("/acct/T00()?$filter=PartitionKey%20eq%20'a'%20and%20RowKey%20ge%20'b'");
        assertThat(service.store.lastQuery.orElseThrow().intervals())
                .isEqualTo(
                        List.of(
                                new EntityInterval(
                                        new EntityPosition("a", "b"),
                                        Optional.of(EntityPosition.endOf("a")))));
        assertThat(service.store.lastQuery.orElseThrow().filter())
                .isEqualTo(io.parterre.filter.Filter.Constant.ALL);
        assertThat(service.store.lastQuery.orElseThrow().top()).isEqualTo(1_000);
    }

    @Test
    void pointFilterFindsAllRows_with100PointIntervals() {
        post("/acct/Tables", "{\"TableName\":\"T00\"}");
        StringBuilder filter = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            String rowKey = "row-" + "%032d".formatted(i);
            if (i % 5 < 2) {
                post("/acct/T00", entity(rowKey, "\"a\":1"));
            }
            filter.append(i == 0 ? "" : "%20or%20")
                    .append("(PartitionKey%20eq%20'p'%20and%20RowKey%20eq%20'" + rowKey + "')");
        }
        HttpAnswer answer = get("/acct/T00()?$select=RowKey&$filter=" + filter);
        assertThat(ServiceUnderTest.text(answer.body()).split("\"RowKey\":", -1)).hasSize(41);
        assertThat(service.store.lastQuery.orElseThrow().intervals()).hasSize(100);
    }

    @Test
    void bearerChallengeIsSent_whenApiVersionSupportsIt() {
        TableServiceConfig plain = TableServiceConfig.defaults();
        ServiceUnderTest challenging =
                new ServiceUnderTest(
                        new TableServiceConfig(
                                plain.hostSuffixes(),
                                plain.limits(),
                                plain.timeoutMax(),
                                Optional.of(
                                        new BearerConfig(
                                                List.of("https://login.example.com/t"),
                                                List.of("https://storage.azure.com"),
                                                "https://login.example.com/t/oauth2/authorize",
                                                "roles",
                                                List.of("reader"),
                                                List.of("contributor"),
                                                List.of(),
                                                Duration.ZERO))));
        HttpAnswer anonymous = unsigned(challenging, "2020-12-06", HeaderList.EMPTY);
        assertThat(code(anonymous)).isEqualTo("401 NoAuthenticationInformation");
        assertThat(anonymous.headers().first("WWW-Authenticate"))
                .contains(
                        "Bearer authorization_uri=https://login.example.com/t/oauth2/authorize"
                                + " resource_id=https://storage.azure.com");
        HttpAnswer bearer =
                unsigned(challenging, "2020-12-06", HeaderList.of("Authorization", "Bearer x"));
        assertThat(code(bearer)).isEqualTo("401 InvalidAuthenticationInfo");
        assertThat(bearer.headers().has("WWW-Authenticate")).isTrue();
        HttpAnswer old = unsigned(challenging, "2019-07-07", HeaderList.EMPTY);
        assertThat(code(old)).isEqualTo("403 AuthenticationFailed");
        assertThat(old.headers().has("WWW-Authenticate")).isFalse();
    }

    private static HttpAnswer unsigned(
            ServiceUnderTest service, String version, HeaderList headers) {
        return service.send(
                "GET",
                "/acct/Tables",
                headers.with("Host", "h").with("x-ms-version", version),
                NOTHING);
    }

    @Test
    void errorBodyMatchesProtocol_forJsonAndXmlFormats() {
        HttpAnswer json = get("/acct/Tables('nothere')");
        assertThat(ServiceUnderTest.text(json.body()))
                .isEqualTo(
                        "{\"odata.error\":{\"code\":\"ResourceNotFound\",\"message\":{\"lang\":"
                                + "\"en-US\",\"value\":\"The specified resource does not exist."
                                + "\\nRequestId:r\\nTime:2021-05-26T15:48:24.2507202Z\"}}}");
        HttpAnswer xml =
                service.send(
                        "GET",
                        "/acct/Tables",
                        HeaderList.of("Host", "h", "Authorization", "SharedKey acct:AAAA"),
                        NOTHING);
        assertThat(ServiceUnderTest.text(xml.body()))
                .isEqualTo(
                        "<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error xmlns:m="
                                + "\"http://schemas.microsoft.com/ado/2007/08/dataservices/"
                                + "metadata\"><m:code>AuthenticationFailed</m:code><m:message "
                                + "xml:lang=\"en-US\">Server failed to authenticate the request. "
                                + "Make sure the value of Authorization header is formed correctly "
                                + "including the signature.\nRequestId:r\nTime:"
                                + "2021-05-26T15:48:24.2507202Z</m:message></m:error>");
        HttpAnswer dataLayer =
                service.sendSigned(
                        "GET", "/acct/Tables('nothere')", HeaderList.of("Accept", "*/*"), NOTHING);
        assertThat(ServiceUnderTest.text(dataLayer.body()))
                .startsWith(
                        "<?xml version=\"1.0\" encoding=\"utf-8\"?><error xmlns="
                                + "\"http://schemas.microsoft.com/ado/2007/08/dataservices/"
                                + "metadata\"><code>ResourceNotFound</code><message "
                                + "xml:lang=\"en-US\">The specified resource does not exist.\n");
    }
}

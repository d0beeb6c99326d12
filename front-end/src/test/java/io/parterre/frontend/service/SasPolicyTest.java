package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.directory.AccessPolicy;
import io.parterre.entity.Ticks;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Service signatures that lean on stored access policies. Source: docs/protocol.md 8.5; F055. */
final class SasPolicyTest {
    private static final byte[] NOTHING = new byte[0];
    private static final String TOKEN = "sv=2019-02-02&tn=T00&si=p1";
    private static final OptionalLong NONE = OptionalLong.empty();

    private final ServiceUnderTest service = new ServiceUnderTest();

    SasPolicyTest() {
        service.sendSigned(
                "POST",
                "/acct/Tables",
                HeaderList.of("Content-Type", "application/json"),
                "{\"TableName\":\"T00\"}".getBytes(UTF_8));
    }

    private static OptionalLong at(String time) {
        return OptionalLong.of(Ticks.of(Instant.parse(time)));
    }

    private void store(OptionalLong start, OptionalLong expiry, String permissions) {
        store("p1", start, expiry, Optional.of(permissions));
    }

    private void store(
            String id, OptionalLong start, OptionalLong expiry, Optional<String> permissions) {
        service.store.policies.put(
                "t00",
                List.of(
                        new AccessPolicy("other", NONE, at("2030-01-01T00:00:00Z"), permissions),
                        new AccessPolicy(id, start, expiry, permissions)));
    }

    private HttpAnswer send(String method, String path, String query) {
        return service.sendSigned(
                method,
                path + "?" + ClientSas.query(ServiceUnderTest.KEY, "acct", query),
                HeaderList.of("Content-Type", "application/json", "If-Match", "*"),
                NOTHING);
    }

    private String get(String query) {
        HttpAnswer answer = send("GET", "/acct/T00()", query);
        return (answer.status() + " " + answer.headers().first("x-ms-error-code").orElse(""))
                .strip();
    }

    @Test
    void sasTakesTimesAndPermissions_fromStoredPolicy() {
        store(at("2021-05-26T00:00:00Z"), at("2021-05-27T00:00:00Z"), "r");
        assertThat(get(TOKEN)).isEqualTo("200");
        assertThat(send("DELETE", "/acct/T00(PartitionKey='p',RowKey='r')", TOKEN).status())
                .isEqualTo(403);
    }

    @Test
    void sasIsAccepted_whenTokenAndPolicyCompleteEachOther() {
        store("p1", NONE, NONE, Optional.empty());
        assertThat(get(TOKEN + "&sp=r&se=2021-05-27")).isEqualTo("200");
        store(NONE, NONE, "r");
        assertThat(get(TOKEN + "&se=2021-05-27")).isEqualTo("200");
        store("p1", NONE, at("2021-05-27T00:00:00Z"), Optional.empty());
        assertThat(get(TOKEN + "&sp=r")).isEqualTo("200");
        store(NONE, at("2021-05-27T00:00:00Z"), "r");
        assertThat(get(TOKEN + "&st=2021-05-26")).isEqualTo("200");
    }

    @Test
    void sasIsRejected_whenTokenAndPolicySetSameField() {
        store(NONE, at("2021-05-27T00:00:00Z"), "r");
        assertThat(get(TOKEN + "&sp=r")).isEqualTo("403 AuthenticationFailed");
        assertThat(get(TOKEN + "&se=2021-05-27")).isEqualTo("403 AuthenticationFailed");
        store(at("2021-05-26T00:00:00Z"), at("2021-05-27T00:00:00Z"), "r");
        assertThat(get(TOKEN + "&st=2021-05-26")).isEqualTo("403 AuthenticationFailed");
    }

    @Test
    void sasIsRejected_whenTokenAndPolicyBothLackField() {
        store(NONE, NONE, "r");
        assertThat(get(TOKEN)).isEqualTo("403 AuthenticationFailed");
        store("p1", NONE, at("2021-05-27T00:00:00Z"), Optional.empty());
        assertThat(get(TOKEN)).isEqualTo("403 AuthenticationFailed");
        store(NONE, at("2021-05-27T00:00:00Z"), "");
        assertThat(get(TOKEN)).isEqualTo("403 AuthenticationFailed");
    }

    @Test
    void sasPolicyIdIsCaseSensitive() {
        store("P1", NONE, at("2021-05-27T00:00:00Z"), Optional.of("r"));
        assertThat(get(TOKEN)).isEqualTo("403 AuthenticationFailed");
        assertThat(get("sv=2019-02-02&tn=T00&si=P1")).isEqualTo("200");
    }

    /** F055. */
    @Test
    void sasAccessIsLostAndRegained_withItsStoredPolicy() {
        store(NONE, at("2021-05-27T00:00:00Z"), "r");
        assertThat(get(TOKEN)).isEqualTo("200");
        service.store.policies.clear();
        assertThat(get(TOKEN)).isEqualTo("403 AuthenticationFailed");
        store(NONE, at("2021-05-27T00:00:00Z"), "r");
        assertThat(get(TOKEN)).isEqualTo("200");
    }

    @Test
    void sasIsAcceptedOnly_fromPolicyStartUntilExpiry() {
        store(at("2021-05-26T15:48:25Z"), at("2021-05-26T15:50:00Z"), "r");
        assertThat(get(TOKEN)).isEqualTo("403 AuthenticationFailed");
        service.now = ServiceUnderTest.NOW.plus(Duration.ofMinutes(1));
        assertThat(get(TOKEN)).isEqualTo("200");
        service.now = Instant.parse("2021-05-26T15:50:00Z");
        assertThat(get(TOKEN)).isEqualTo("403 AuthenticationFailed");
    }

    @Test
    void sasKeyRangeAndIpRangeApply_withStoredPolicy() {
        store(NONE, at("2021-05-27T00:00:00Z"), "r");
        assertThat(get(TOKEN + "&sip=10.0.0.1")).isEqualTo("403 AuthorizationSourceIPMismatch");
        HttpAnswer outside =
                send("GET", "/acct/T00(PartitionKey='a',RowKey='r')", TOKEN + "&spk=b");
        assertThat(outside.status()).isEqualTo(404);
    }

    @Test
    void policyIsNotRead_whenSasSignatureIsForged() {
        store(NONE, at("2021-05-27T00:00:00Z"), "r");
        service.store.lastDeadline = Instant.EPOCH;
        HttpAnswer forged =
                service.sendSigned(
                        "GET", "/acct/T00()?" + TOKEN + "&sig=AAAA", HeaderList.EMPTY, NOTHING);
        assertThat(forged.status()).isEqualTo(403);
        assertThat(service.store.lastDeadline).isEqualTo(Instant.EPOCH);
    }

    @Test
    void sasIsRejected_whenTableIsMissing() {
        assertThat(
                        send("GET", "/acct/T01()", "sv=2019-02-02&tn=T01&si=p1")
                                .headers()
                                .first("x-ms-error-code"))
                .contains("AuthenticationFailed");
        assertThat(send("GET", "/acct/T()", "sv=2019-02-02&tn=-&si=p1").status()).isEqualTo(403);
    }

    @Test
    void sasRequestFailsAsServerError_whenPoliciesCannotBeRead() {
        service.store.failure = Optional.of(new StorageException(ErrorCode.SERVER_BUSY));
        HttpAnswer busy = send("GET", "/acct/T00()", TOKEN);
        assertThat(busy.status()).isEqualTo(503);
        assertThat(busy.headers().first("Retry-After")).contains("1");
        service.store.failure = Optional.of(new IllegalStateException("secret of ours"));
        HttpAnswer fault = send("GET", "/acct/T00()", TOKEN);
        assertThat(fault.status()).isEqualTo(500);
        assertThat(ServiceUnderTest.text(fault.body())).doesNotContain("secret");
    }

    @Test
    void httpsOnlySasIsRejected_withoutTLS() {
        String query = "sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&spr=https";
        assertThat(get(query)).isEqualTo("403 AuthorizationProtocolMismatch");
        service.secure = true;
        assertThat(get(query)).isEqualTo("200");
    }

    @Test
    void sasIpRangeIsEnforced_forIpv6Clients() throws UnknownHostException {
        service.remote = InetAddress.getByName("2001:db8::17");
        String query = "sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&sip=";
        assertThat(get(query + "2001:db8::10-2001:db8::1f")).isEqualTo("200");
        assertThat(get(query + "2001:db8::18-2001:db8::1f"))
                .isEqualTo("403 AuthorizationSourceIPMismatch");
        assertThat(get(query + "0.0.0.0-255.255.255.255"))
                .isEqualTo("403 AuthorizationSourceIPMismatch");
    }
}

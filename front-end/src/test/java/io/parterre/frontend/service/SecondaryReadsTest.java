package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients of the secondary are told of its age. */
final class SecondaryReadsTest {
    private static final String AGE = "parterre-staleness-ms";
    private static final HeaderList ANY_JSON = HeaderList.of("Accept", "application/json");

    private final ServiceUnderTest service = new ServiceUnderTest();

    private HttpAnswer send(String method, String target, String body) {
        return service.sendSigned(method, target, ANY_JSON, body.getBytes(UTF_8));
    }

    private HttpAnswer get(String target) {
        return send("GET", target, "");
    }

    @BeforeEach
    void create() {
        assertThat(send("POST", "/acct/Tables", "{\"TableName\":\"People\"}").status())
                .isEqualTo(201);
        send("POST", "/acct/People", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
        service.store.age = Optional.of(Duration.ofMillis(1_234));
    }

    @Test
    void secondaryReadReportsStaleness_whenFoundOrNotFound() {
        for (String target :
                new String[] {
                    "Tables",
                    "Tables('People')",
                    "Tables('Nobody')",
                    "People()",
                    "Nobody()",
                    "People(PartitionKey='p',RowKey='r')",
                    "People(PartitionKey='p',RowKey='s')",
                    "People?comp=acl",
                    "?restype=service&comp=properties"
                }) {
            assertThat(get("/acct-secondary/" + target).headers().all(AGE))
                    .as(target)
                    .containsExactly("1234");
            assertThat(get("/acct/" + target).headers().has(AGE)).as(target).isFalse();
        }
    }

    @Test
    void authorizationAndCorsReadPrimary_whenSecondaryFails() {
        service.store.failsAtSecondary = true;
        // Admitting the caller and telling its browser the rules read nothing there.
        HttpAnswer answer =
                service.sendSigned(
                        "GET",
                        "/acct-secondary/?restype=service&comp=stats",
                        ANY_JSON.with("Origin", "http://a.example"),
                        new byte[0]);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(service.store.propertiesRead).isEqualTo(1);
        assertThat(get("/acct-secondary/People()").status()).isEqualTo(503);
    }

    @Test
    void secondaryReadReportsUnknown_whenStalenessIsNotKnown() {
        service.store.age = Optional.empty();
        HttpAnswer answer = get("/acct-secondary/People()");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers().first(AGE)).contains("unknown");
    }

    @Test
    void responseOmitsStaleness_whenNothingWasRead() {
        HttpAnswer write =
                send("POST", "/acct-secondary/People", "{\"PartitionKey\":\"p\",\"RowKey\":\"q\"}");
        assertThat(write.status()).isEqualTo(403);
        assertThat(write.headers().has(AGE)).isFalse();
        HttpAnswer malformed = get("/acct-secondary/People()?$filter=nonsense%20eq");
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.headers().has(AGE)).isFalse();
    }

    @Test
    void lastSyncTimeIsNowMinusStaleness() {
        service.store.age = Optional.of(Duration.ofSeconds(90));
        String body =
                ServiceUnderTest.text(get("/acct-secondary/?restype=service&comp=stats").body());
        assertThat(body)
                .contains("<Status>live</Status>")
                .contains("<LastSyncTime>Wed, 26 May 2021 15:46:54 GMT</LastSyncTime>");
    }

    @Test
    void secondaryIsUnavailable_whenStalenessIsUnknown() {
        service.store.age = Optional.empty();
        String body =
                ServiceUnderTest.text(get("/acct-secondary/?restype=service&comp=stats").body());
        assertThat(body)
                .contains("<Status>unavailable</Status>")
                .containsPattern("<LastSyncTime ?/>|<LastSyncTime></LastSyncTime>");
    }

    @Test
    void continuationTokenWorksAcrossPrimaryAndSecondary() {
        send("POST", "/acct/People", "{\"PartitionKey\":\"q\",\"RowKey\":\"r\"}");
        for (String[] addresses :
                new String[][] {{"acct-secondary", "acct"}, {"acct", "acct-secondary"}}) {
            HttpAnswer first = get("/" + addresses[0] + "/People()?$top=1");
            String next =
                    "&NextPartitionKey="
                            + first.headers().first("x-ms-continuation-NextPartitionKey").get()
                            + "&NextRowKey="
                            + first.headers().first("x-ms-continuation-NextRowKey").get();
            HttpAnswer second = get("/" + addresses[1] + "/People()?$top=1" + next);
            assertThat(ServiceUnderTest.text(second.body())).contains("\"PartitionKey\":\"q\"");
            assertThat(second.headers().has("x-ms-continuation-NextPartitionKey")).isFalse();
        }
    }
}

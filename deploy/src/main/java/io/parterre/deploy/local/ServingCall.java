package io.parterre.deploy.local;

import io.parterre.deploy.client.SharedKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/**
 * The smallest call of a client that passes through all roles: it asks for one table, signed with
 * SharedKeyLite. Source: docs/protocol.md 8. Thread-safe.
 */
final class ServingCall {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(TIMEOUT)
                    .build();

    /** Returns the status of the answer, or why there is none. */
    String answer(String tableEndpoint, String account, String key) throws InterruptedException {
        String date =
                DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(tableEndpoint + "/Tables?$top=1"))
                        .timeout(TIMEOUT)
                        .header("x-ms-date", date)
                        .header("x-ms-version", "2019-02-02")
                        .header("Accept", "application/json;odata=nometadata")
                        .header(
                                "Authorization",
                                SharedKey.of(key)
                                        .authorization(account, date, "/" + account + "/Tables"))
                        .build();
        try {
            return Integer.toString(
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
        } catch (IOException e) {
            return e.toString();
        }
    }
}

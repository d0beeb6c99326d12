package io.parterre.deploy.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

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
                                "SharedKeyLite "
                                        + account
                                        + ":"
                                        + sign(
                                                key,
                                                date + "\n/" + account + "/" + account + "/Tables"))
                        .build();
        try {
            return Integer.toString(
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String sign(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}

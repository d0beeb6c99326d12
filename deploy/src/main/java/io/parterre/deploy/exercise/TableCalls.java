package io.parterre.deploy.exercise;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Calls on one account, each sent once. Thread-safe. */
final class TableCalls {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);

    private final ConnectionString to;
    private final Duration timeout;
    private final InstantSource clock;
    private final HttpClient http;

    /**
     * Creates the calls without sending anything.
     *
     * @param timeout timeout of one call, including the connection
     * @param clock dates the requests
     */
    TableCalls(ConnectionString to, Duration timeout, InstantSource clock) {
        this.to = to;
        this.timeout = timeout;
        this.clock = clock;
        this.http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(timeout)
                        .build();
    }

    Answer createTable(String table) throws InterruptedException {
        return send("POST", "/Tables", "{\"TableName\":\"" + table + "\"}");
    }

    /** Inserts the entity or replaces an existing one. */
    Answer put(String table, EntityKey key, String body) throws InterruptedException {
        return send("PUT", path(table, key), body);
    }

    Answer get(String table, EntityKey key) throws InterruptedException {
        return send("GET", path(table, key), "");
    }

    private static String path(String table, EntityKey key) {
        return "/"
                + table
                + "(PartitionKey='"
                + key.partitionKey()
                + "',RowKey='"
                + key.rowKey()
                + "')";
    }

    private Answer send(String method, String path, String body) throws InterruptedException {
        String date = DATE.format(clock.instant());
        URI uri = URI.create(to.endpoint() + path);
        HttpRequest request =
                HttpRequest.newBuilder(uri)
                        .timeout(timeout)
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body))
                        .header("x-ms-date", date)
                        .header("x-ms-version", "2019-02-02")
                        .header("Accept", "application/json;odata=nometadata")
                        .header("Content-Type", "application/json")
                        .header("Prefer", "return-no-content")
                        .header(
                                "Authorization",
                                to.key().authorization(to.account(), date, uri.getRawPath()))
                        .build();
        try {
            HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), new String(response.body(), UTF_8));
        } catch (IOException e) {
            return new Answer(Answer.NONE, e.toString());
        }
    }
}

package io.parterre.deploy.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The few calls of the table protocol that a transfer needs. All are idempotent, and are retried
 * until a service that is busy, restarting or briefly unavailable answers. Thread-safe; calls
 * block.
 */
final class TableClient {
    /**
     * Longest time for which a call is retried: covers an election, a restart, a minute of
     * throttling.
     */
    private static final Duration TRIES_MAX = Duration.ofMinutes(3);

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
    private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private final TableEndpoint endpoint;
    private final InstantSource clock;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(10))
                    .build();

    TableClient(TableEndpoint endpoint, InstantSource clock) {
        this.endpoint = endpoint;
        this.clock = clock;
    }

    /**
     * Entities in key order.
     *
     * @param next where the next page starts; empty: this page is the last
     * @param bytes bytes of the answer
     */
    record Page(List<ObjectNode> entities, Optional<String> next, long bytes) {}

    /**
     * Returns one page of a query.
     *
     * @param filter empty: all entities
     * @param from start as told by the previous page
     */
    Page query(String table, String filter, Optional<String> from) throws IOException {
        StringBuilder query = new StringBuilder("$top=1000");
        if (!filter.isEmpty()) {
            query.append("&$filter=").append(encode(filter));
        }
        from.ifPresent(at -> query.append('&').append(at));
        HttpResponse<byte[]> response =
                call("GET", "/" + table + "()", query.toString(), Optional.empty(), new byte[0]);
        List<ObjectNode> entities = new ArrayList<>();
        for (JsonNode each : JSON.readTree(response.body()).path("value")) {
            entities.add((ObjectNode) each);
        }
        return new Page(entities, next(response), response.body().length);
    }

    private static Optional<String> next(HttpResponse<?> response) {
        return response.headers()
                .firstValue("x-ms-continuation-NextPartitionKey")
                .map(
                        partition ->
                                "NextPartitionKey="
                                        + encode(partition)
                                        + response.headers()
                                                .firstValue("x-ms-continuation-NextRowKey")
                                                .map(row -> "&NextRowKey=" + encode(row))
                                                .orElse(""));
    }

    /** Creates a table unless it exists. */
    void createTable(String table) throws IOException {
        ObjectNode body = JSON.createObjectNode().put("TableName", table);
        try {
            call(
                    "POST",
                    "/Tables",
                    "",
                    Optional.of("application/json"),
                    JSON.writeValueAsBytes(body));
        } catch (TransferException refused) {
            if (!refused.getMessage().contains("TableAlreadyExists")) {
                throw refused;
            }
        }
    }

    /**
     * Writes entities of one partition, all or none; existing ones are replaced or merged.
     *
     * @param entities 1 to 100, none twice
     */
    void write(String table, List<ObjectNode> entities, boolean merge) throws IOException {
        String verb = merge ? "MERGE" : "PUT";
        if (entities.size() == 1) {
            ObjectNode only = entities.get(0);
            call(
                    verb,
                    "/" + table + EntityLines.address(only),
                    "",
                    Optional.of("application/json"),
                    EntityLines.body(only));
            return;
        }
        byte[] body = BatchText.of(endpoint.base() + "/" + table, entities, verb);
        call("POST", "/$batch", "", Optional.of(BatchText.CONTENT_TYPE), body);
    }

    static String encode(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    private HttpResponse<byte[]> call(
            String method, String path, String query, Optional<String> contentType, byte[] body)
            throws IOException {
        long endNanos = System.nanoTime() + TRIES_MAX.toNanos();
        Duration pause = PAUSE_MIN;
        while (true) {
            try {
                return callOnce(method, path, query, contentType, body);
            } catch (TransferException failure) {
                if (!failure.isPassing() || System.nanoTime() - endNanos > 0) {
                    throw failure;
                }
            } catch (IOException connection) {
                if (connection instanceof InterruptedIOException
                        || System.nanoTime() - endNanos > 0) {
                    throw TransferException.passing(
                            endpoint.base() + ": " + connection, connection);
                }
            }
            sleep(pause);
            pause =
                    pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0
                            ? pause.multipliedBy(2)
                            : PAUSE_MAX;
        }
    }

    private static void sleep(Duration pause) throws IOException {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private HttpResponse<byte[]> callOnce(
            String method, String path, String query, Optional<String> contentType, byte[] body)
            throws IOException {
        String date = DATE.format(clock.instant());
        String signed = endpoint.credential().query();
        String whole = query + (query.isEmpty() || signed.isEmpty() ? "" : "&") + signed;
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create(
                                        endpoint.base()
                                                + path
                                                + (whole.isEmpty() ? "" : "?" + whole)))
                        .timeout(CALL_TIMEOUT)
                        .method(method, BodyPublishers.ofByteArray(body))
                        .header("x-ms-date", date)
                        .header("x-ms-version", "2019-02-02")
                        .header("DataServiceVersion", "3.0;NetFx")
                        .header("MaxDataServiceVersion", "3.0;NetFx")
                        .header("Accept", "application/json;odata=minimalmetadata");
        contentType.ifPresent(type -> request.header("Content-Type", type));
        endpoint.credential()
                .authorization(date, endpoint.path() + path)
                .ifPresent(value -> request.header("Authorization", value));
        HttpResponse<byte[]> response;
        try {
            response = http.send(request.build(), BodyHandlers.ofByteArray());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
        return require(method + " " + path, response);
    }

    private static HttpResponse<byte[]> require(String call, HttpResponse<byte[]> response)
            throws TransferException {
        int status = BatchText.status(response.statusCode(), response.body());
        if (status < 300) {
            return response;
        }
        String said = status + " " + reason(response.body());
        if (PASSING.contains(status)) {
            throw TransferException.passing(call + ": " + said, null);
        }
        throw TransferException.lasting(call + ": " + said);
    }

    /** Returns the error's code and text, from either form of body. */
    private static String reason(byte[] body) {
        String text = new String(body, UTF_8);
        int json = text.indexOf("{\"odata.error\"");
        try {
            JsonNode error =
                    JSON.readTree(json < 0 ? "{}" : text.substring(json)).path("odata.error");
            if (!error.isMissingNode()) {
                String words = error.path("message").path("value").asText();
                return error.path("code").asText() + ": " + words.lines().findFirst().orElse("");
            }
        } catch (JsonProcessingException notOurs) {
            return text.lines().findFirst().orElse("");
        }
        return text.lines().findFirst().orElse("");
    }
}

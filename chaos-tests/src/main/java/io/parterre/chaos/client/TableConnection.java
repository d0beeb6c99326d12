package io.parterre.chaos.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls on one account, each sent once. Writes return an {@link Answer} in any case. Reads throw,
 * because a checker cannot continue without them, except for those whose names begin with {@code
 * try}. A connection with several addresses of the service continues at the next one if no process
 * listens on the current one, because then nothing was sent.
 */
public final class TableConnection {
    private final List<URI> endpoints;
    private final AtomicInteger current = new AtomicInteger();
    private final URI endpoint;
    private final Account account;
    private final Duration timeout;
    private final Optional<Duration> asked;
    private final HttpClient http;

    /**
     * @param endpoint path-style, without a trailing slash
     * @param timeout timeout of one call, including the connection
     */
    public TableConnection(URI endpoint, Account account, Duration timeout) {
        this(List.of(endpoint), account, timeout);
    }

    /**
     * @param endpoints addresses of one account, the first to use first; their paths are the same
     */
    public TableConnection(List<URI> endpoints, Account account, Duration timeout) {
        this(endpoints, account, timeout, Optional.empty());
    }

    private TableConnection(
            List<URI> endpoints, Account account, Duration timeout, Optional<Duration> asked) {
        this.asked = asked;
        this.endpoints = List.copyOf(endpoints);
        this.endpoint = endpoints.get(0);
        this.account = account;
        this.timeout = timeout;
        this.http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(timeout)
                        .build();
    }

    /**
     * Returns one connection that begins at each address of the service; each continues at the next
     * one if no process listens on its own.
     */
    public static List<TableConnection> following(
            List<URI> endpoints, Account account, Duration timeout) {
        List<TableConnection> connections = new ArrayList<>();
        for (int first = 0; first < endpoints.size(); first++) {
            List<URI> ways = new ArrayList<>(endpoints);
            Collections.rotate(ways, -first);
            connections.add(new TableConnection(ways, account, timeout));
        }
        return connections;
    }

    /**
     * Returns the same connection, whose calls ask the service not to take longer; whole seconds.
     */
    public TableConnection asking(Duration atMost) {
        return new TableConnection(endpoints, account, timeout, Optional.of(atMost));
    }

    /** Creates a table that tests need; throws if it cannot be created. */
    public void createTable(String table) {
        Answer answer = tryCreateTable(table);
        if (!(answer instanceof Answer.Acknowledged)) {
            throw new IllegalStateException("table " + table + " was not created: " + answer);
        }
    }

    public Answer tryCreateTable(String table) {
        return answer(
                request("/Tables")
                        .header("Content-Type", "application/json")
                        .header("Prefer", "return-no-content")
                        .POST(BodyPublishers.ofString("{\"TableName\":\"" + table + "\"}")));
    }

    public Answer deleteTable(String table) {
        return answer(request("/Tables('" + table + "')").DELETE());
    }

    public Answer write(String table, Write write) {
        List<Call> calls =
                write.changes().stream().map(change -> Call.of(table, write, change)).toList();
        return write.batch() ? together(calls) : alone(calls.get(0));
    }

    Answer alone(Call call) {
        return answer(single(call));
    }

    /** Sends calls as an entity group transaction. */
    Answer together(List<Call> calls) {
        return answer(batch(calls), (response, body) -> BatchText.read(body, calls.size()));
    }

    /** Reads one entity by its keys; empty if it does not exist. */
    public Optional<StoredEntity> read(String table, EntityId id) {
        HttpResponse<byte[]> response = send(request(Call.entityPath(table, id)));
        if (response.statusCode() == 404) {
            return Optional.empty();
        }
        expect(200, response);
        try {
            return Optional.of(EntityText.readOne(response.body()));
        } catch (IOException e) {
            throw new IllegalStateException("unreadable entity " + id, e);
        }
    }

    /** Reads one entity by its keys, from a service that may fail. */
    public Reading<Optional<StoredEntity>> tryRead(String table, EntityId id) {
        return reading(
                request(Call.entityPath(table, id)),
                response -> Optional.of(EntityText.readOne(response.body())),
                Optional.empty());
    }

    /** Reads the first page of a table, from a service that may fail. */
    public Reading<List<StoredEntity>> tryList(String table) {
        return reading(
                request("/" + table + "()"),
                response -> EntityText.readPage(response.body()),
                List.of());
    }

    @FunctionalInterface
    private interface Reader<T> {
        T read(HttpResponse<byte[]> response) throws IOException;
    }

    private <T> Reading<T> reading(HttpRequest.Builder request, Reader<T> reader, T absent) {
        try {
            HttpResponse<byte[]> response = exchange(request.build());
            return switch (response.statusCode()) {
                case 200 -> new Reading.Answered<>(reader.read(response));
                case 404 -> new Reading.Answered<>(absent);
                default -> new Reading.Failed<>(response.statusCode(), failure(response));
            };
        } catch (IOException e) {
            return new Reading.Unanswered<>(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reading.Unanswered<>(e.toString());
        }
    }

    /**
     * Returns whether the service both lists the table and finds it; throws if the two disagree.
     */
    public boolean hasTable(String table) {
        HttpResponse<byte[]> found = send(request("/Tables('" + table + "')"));
        HttpResponse<byte[]> listed =
                send(request("/Tables?$filter=TableName%20eq%20'" + table + "'"));
        expect(200, listed);
        String names = new String(listed.body(), StandardCharsets.UTF_8);
        if ((found.statusCode() == 200) != names.contains('"' + table + '"')) {
            throw new IllegalStateException(
                    table + ": " + found.statusCode() + ", but the list is " + names);
        }
        return found.statusCode() == 200;
    }

    /**
     * Reads all entities of a table, page by page, and passes them on in the order in which they
     * arrive; throws if there is no such table.
     */
    public void scan(String table, Consumer<StoredEntity> sink) {
        pages(table, "", sink);
    }

    /** Like {@link #scan}, but for one partition only. */
    public void scanPartition(String table, String partition, Consumer<StoredEntity> sink) {
        pages(table, "$filter=PartitionKey%20eq%20'" + partition + "'", sink);
    }

    private void pages(String table, String filter, Consumer<StoredEntity> sink) {
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            HttpResponse<byte[]> response = send(page(table, filter, next.get()));
            expect(200, response);
            try {
                Page page = Page.read(response);
                page.entities().forEach(sink);
                next = page.next();
            } catch (IOException e) {
                throw new IllegalStateException("unreadable page of " + table, e);
            }
        }
    }

    /**
     * Reads one page of a query, from a service that may fail.
     *
     * @param parameters parameters of the query, the same for all its pages, such as {@code
     *     $top=20}; may be empty
     * @param next what the previous page told; empty: the first page
     */
    public Reading<Page> tryPage(String table, String parameters, String next) {
        return reading(page(table, parameters, next), Page::read, Page.NONE);
    }

    private HttpRequest.Builder page(String table, String parameters, String next) {
        String query =
                Stream.of(parameters, next)
                        .filter(each -> !each.isEmpty())
                        .collect(Collectors.joining("&"));
        return request("/" + table + "()" + (query.isEmpty() ? "" : "?" + query));
    }

    private Answer answer(HttpRequest.Builder request) {
        return answer(
                request,
                (response, body) ->
                        new Answer.Acknowledged(List.of(response.headers().firstValue("ETag"))));
    }

    private Answer answer(
            HttpRequest.Builder request, BiFunction<HttpResponse<byte[]>, String, Answer> success) {
        HttpResponse<byte[]> response;
        try {
            response = exchange(request.build());
        } catch (IOException e) {
            return new Answer.Unanswered(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Unanswered(e.toString());
        }
        String body = new String(response.body(), StandardCharsets.UTF_8);
        int status = response.statusCode();
        if (status >= 500) {
            return new Answer.Failed(status, failure(response));
        }
        if (status >= 400) {
            return new Answer.Refused(status, body);
        }
        return success.apply(response, body);
    }

    /** Returns the body, and why a node is busy, which the body does not contain. */
    private static String failure(HttpResponse<byte[]> response) {
        return "("
                + response.headers().firstValue("parterre-busy-reason").orElse("")
                + ") "
                + new String(response.body(), StandardCharsets.UTF_8);
    }

    private HttpRequest.Builder single(Call call) {
        HttpRequest.Builder request = request(call.path());
        call.headers().forEach(request::setHeader);
        return request.method(call.method(), BodyPublishers.ofString(call.body()));
    }

    private HttpRequest.Builder batch(List<Call> calls) {
        BatchText.Body body = BatchText.write(endpoint.toString(), calls);
        return request("/$batch")
                .header("Content-Type", body.contentType())
                .POST(BodyPublishers.ofByteArray(body.bytes()));
    }

    private String withTimeout(String pathAndQuery) {
        String separator = pathAndQuery.contains("?") ? "&" : "?";
        return asked.map(most -> pathAndQuery + separator + "timeout=" + most.toSeconds())
                .orElse(pathAndQuery);
    }

    private HttpRequest.Builder request(String pathAndQuery) {
        URI uri = URI.create(endpoint + withTimeout(pathAndQuery));
        String date = Account.now();
        return HttpRequest.newBuilder(uri)
                .timeout(timeout)
                .header("Authorization", account.authorization(date, uri.getRawPath()))
                .header("x-ms-date", date)
                .header("x-ms-version", "2019-02-02")
                .header("Accept", "application/json;odata=minimalmetadata")
                .header("DataServiceVersion", "3.0");
    }

    /**
     * Sends the request once. If no process listens on an address, nothing was sent, and the next
     * address is tried.
     */
    private HttpResponse<byte[]> exchange(HttpRequest request)
            throws IOException, InterruptedException {
        for (int tries = 1; ; tries++) {
            int way = current.get();
            try {
                return http.send(by(endpoints.get(way), request), BodyHandlers.ofByteArray());
            } catch (ConnectException refused) {
                if (tries >= endpoints.size()) {
                    throw refused;
                }
                current.compareAndSet(way, (way + 1) % endpoints.size());
            }
        }
    }

    /** Returns the same request for another address. */
    private static HttpRequest by(URI way, HttpRequest request) {
        String pathAndQuery =
                request.uri().getRawPath()
                        + Optional.ofNullable(request.uri().getRawQuery())
                                .map(query -> "?" + query)
                                .orElse("");
        return HttpRequest.newBuilder(request, (name, value) -> true)
                .uri(way.resolve(pathAndQuery))
                .build();
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) {
        try {
            return exchange(request.build());
        } catch (IOException e) {
            throw new IllegalStateException(request.build() + " was not answered", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void expect(int status, HttpResponse<byte[]> response) {
        if (response.statusCode() != status) {
            throw new IllegalStateException(
                    response.request()
                            + ": "
                            + response.statusCode()
                            + " (expected: "
                            + status
                            + ") "
                            + new String(response.body(), StandardCharsets.UTF_8));
        }
    }
}

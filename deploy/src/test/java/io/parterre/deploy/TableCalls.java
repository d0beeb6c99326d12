package io.parterre.deploy;

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
 * The least that a client of the table service has to do, signed with SharedKeyLite and written
 * here from the protocol alone. Source: docs/protocol.md 8.
 */
public final class TableCalls {
    static final String DEVELOPMENT_ACCOUNT = "devstoreaccount1";
    static final String DEVELOPMENT_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String server;
    private final String account;
    private final String key;

    public TableCalls(String server, String account, String key) {
        this.server = server;
        this.account = account;
        this.key = key;
    }

    static TableCalls development(ParterreProcess process) {
        return new TableCalls(process.tables(), DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY);
    }

    public int createTable(String table) throws IOException, InterruptedException {
        return call("POST", "/Tables", "{\"TableName\":\"" + table + "\"}").statusCode();
    }

    public int insert(String table, String partitionKey, String rowKey, String value)
            throws IOException, InterruptedException {
        String entity =
                "{\"PartitionKey\":\""
                        + partitionKey
                        + "\",\"RowKey\":\""
                        + rowKey
                        + "\",\"Value\":\""
                        + value
                        + "\"}";
        return call("POST", "/" + table, entity).statusCode();
    }

    /** Inserts or replaces. */
    public HttpResponse<String> put(String table, String partitionKey, String rowKey, String value)
            throws IOException, InterruptedException {
        return call("PUT", entity(table, partitionKey, rowKey), "{\"Value\":\"" + value + "\"}");
    }

    /** Inserts or merges one property more. */
    public HttpResponse<String> merge(
            String table, String partitionKey, String rowKey, String property, String value)
            throws IOException, InterruptedException {
        return call(
                "MERGE",
                entity(table, partitionKey, rowKey),
                "{\"" + property + "\":\"" + value + "\"}");
    }

    public int delete(String table, String partitionKey, String rowKey)
            throws IOException, InterruptedException {
        return call("DELETE", entity(table, partitionKey, rowKey), "").statusCode();
    }

    public int deleteTable(String table) throws IOException, InterruptedException {
        return call("DELETE", "/Tables('" + table + "')", "").statusCode();
    }

    private static String entity(String table, String partitionKey, String rowKey) {
        return "/" + table + "(PartitionKey='" + partitionKey + "',RowKey='" + rowKey + "')";
    }

    public HttpResponse<String> read(String table, String partitionKey, String rowKey)
            throws IOException, InterruptedException {
        return call(
                "GET",
                "/" + table + "(PartitionKey='" + partitionKey + "',RowKey='" + rowKey + "')",
                "");
    }

    /**
     * A page of a table's entities.
     *
     * @param options of the query, encoded
     */
    public HttpResponse<String> query(String table, String options)
            throws IOException, InterruptedException {
        return call("GET", "/" + table + "()?" + options, "");
    }

    private HttpResponse<String> call(String method, String path, String body)
            throws IOException, InterruptedException {
        String date =
                DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        String resource = "/" + account + "/" + account + path.split("\\?", 2)[0];
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server + "/" + account + path))
                        .timeout(Duration.ofSeconds(60))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .header("x-ms-date", date)
                        .header("x-ms-version", "2019-02-02")
                        .header("Accept", "application/json;odata=nometadata")
                        .header("Content-Type", "application/json")
                        .header(
                                "Authorization",
                                "SharedKeyLite " + account + ":" + sign(date + "\n" + resource));
        if (method.equals("DELETE")) {
            request.header("If-Match", "*");
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private String sign(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}

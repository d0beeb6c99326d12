package io.parterre.chaos.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A request as bytes, correct and signed, for callers that then send it wrongly: in part, slowly,
 * or never to its end.
 *
 * @param head request line and headers, with the empty line that ends them
 * @param body as long as the head states
 */
public record RawRequest(byte[] head, byte[] body) {
    /**
     * Returns the request of this write.
     *
     * @param endpoint path-style, without a trailing slash
     */
    public static RawRequest of(URI endpoint, Account account, String table, Write write) {
        List<Call> calls =
                write.changes().stream().map(change -> Call.of(table, write, change)).toList();
        if (write.batch()) {
            BatchText.Body batch = BatchText.write(endpoint.toString(), calls);
            Map<String, String> headers = Map.of("Content-Type", batch.contentType());
            return of(endpoint, account, "POST", "/$batch", headers, batch.bytes());
        }
        Call call = calls.get(0);
        byte[] body = call.body().getBytes(StandardCharsets.UTF_8);
        return of(endpoint, account, call.method(), call.path(), call.headers(), body);
    }

    /** Returns the request for the first page of a table. */
    public static RawRequest page(URI endpoint, Account account, String table) {
        return of(endpoint, account, "GET", "/" + table + "()", Map.of(), new byte[0]);
    }

    /** Returns the request that inserts an entity of this text. */
    public static RawRequest insert(URI endpoint, Account account, String table, String json) {
        return of(
                endpoint,
                account,
                "POST",
                "/" + table,
                Map.of("Content-Type", "application/json", "Prefer", "return-no-content"),
                json.getBytes(StandardCharsets.UTF_8));
    }

    private static RawRequest of(
            URI endpoint,
            Account account,
            String method,
            String path,
            Map<String, String> headers,
            byte[] body) {
        String rawPath = endpoint.getRawPath() + path;
        String date = Account.now();
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(rawPath).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(endpoint.getRawAuthority()).append("\r\n");
        head.append("Authorization: ").append(account.authorization(date, rawPath)).append("\r\n");
        head.append("x-ms-date: ").append(date).append("\r\n");
        head.append("x-ms-version: 2019-02-02\r\n");
        headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        if (!method.equals("GET")) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        head.append("\r\n");
        return new RawRequest(head.toString().getBytes(StandardCharsets.UTF_8), body);
    }
}

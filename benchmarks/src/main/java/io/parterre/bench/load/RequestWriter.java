package io.parterre.bench.load;

import java.nio.charset.StandardCharsets;

/**
 * Writes complete signed requests. The caller fills {@link #path}, {@link #query} and {@link
 * #body}, then writes the request. Not thread-safe: one per loop.
 */
public final class RequestWriter {
    private final ByteText path = new ByteText(256);
    private final ByteText query = new ByteText(256);
    private final ByteText body = new ByteText(4096);
    private final Endpoint endpoint;
    private final SharedKeyLite signer;
    private final byte[] host;
    private final byte[] authorization;

    public RequestWriter(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.signer = new SharedKeyLite(endpoint.account(), endpoint.key());
        this.host = ascii(" HTTP/1.1\r\nHost: " + endpoint.host() + ":" + endpoint.port() + "\r\n");
        this.authorization = ascii("\r\nAuthorization: SharedKeyLite " + endpoint.account() + ":");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns headers besides those of every request, for {@link #write}. */
    public static byte[] headers(String... namesAndValues) {
        StringBuilder lines = new StringBuilder("\r\nx-ms-version: 2019-02-02");
        lines.append("\r\nDataServiceVersion: 3.0");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            lines.append("\r\n").append(namesAndValues[i]).append(": ");
            lines.append(namesAndValues[i + 1]);
        }
        return ascii(lines.append("\r\n").toString());
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Returns the path of the next request, begun with the endpoint's base path. */
    public ByteText path() {
        return path.clear().put(endpoint.basePath()).put('/');
    }

    /** Returns the query of the next request, without its question mark; empty at first. */
    public ByteText query() {
        return query.clear();
    }

    /** Returns the body of the next request; empty at first. */
    public ByteText body() {
        return body.clear();
    }

    /** Sets the time of the next requests. */
    public void setTime(long epochMillis) {
        signer.setTime(epochMillis);
    }

    /**
     * Writes the request and clears path, query and body.
     *
     * @param headers by {@link #headers}
     */
    public void write(String method, byte[] headers, ByteText out) {
        out.put(method).put(' ').put(path);
        if (query.length() > 0) {
            out.put('?').put(query);
        }
        out.put(host).put("x-ms-date: ").put(signer.date());
        out.put(authorization).put(signer.sign(path)).put(headers);
        if (body.length() > 0 || method.equals("POST")) {
            out.put("Content-Length: ").putDecimal(body.length()).put("\r\n");
        }
        out.put("\r\n").put(body);
        path.clear();
        query.clear();
        body.clear();
    }
}

package io.parterre.deploy.train;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.deploy.client.SharedKey;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * One connection to a table endpoint of this machine, one call at a time. Uses a plain socket,
 * because what a client library loads and runs would be recorded together with the server's. Not
 * thread-safe.
 */
final class TrainingConnection implements AutoCloseable {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final int BUFFER_BYTES = 16_384;
    private static final int HEX = 16;

    private final String account;
    private final SharedKey key;
    private final InstantSource clock;
    private final Socket socket = new Socket();
    private final InputStream in;

    private TrainingConnection(int port, String account, SharedKey key, InstantSource clock)
            throws IOException {
        this.account = account;
        this.key = key;
        this.clock = clock;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) ANSWER_WITHIN.toMillis());
        socket.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                (int) CONNECT_WITHIN.toMillis());
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    }

    static TrainingConnection open(int port, String account, SharedKey key, InstantSource clock)
            throws IOException {
        return new TrainingConnection(port, account, key, clock);
    }

    /**
     * Sends a call and reads its answer to the end.
     *
     * @return HTTP status
     * @throws IOException if the connection is lost, or silent for too long
     */
    int send(TrainingCall call) throws IOException {
        String date = DATE.format(clock.instant());
        String path = "/" + account + "/" + call.path();
        byte[] body = call.body().getBytes(UTF_8);
        String head =
                call.method()
                        + " "
                        + path
                        + (call.query().isEmpty() ? "" : "?" + call.query())
                        + " HTTP/1.1\r\nHost: localhost\r\nx-ms-version: 2019-02-02\r\nx-ms-date: "
                        + date
                        + "\r\nAccept: application/json;odata=minimalmetadata\r\nAuthorization: "
                        + key.authorization(account, date, path)
                        + "\r\nContent-Type: "
                        + call.contentType()
                        + "\r\nContent-Length: "
                        + body.length
                        + "\r\n"
                        + call.more()
                        + "\r\n";
        byte[] start = head.getBytes(ISO_8859_1);
        byte[] all = new byte[start.length + body.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        socket.getOutputStream().write(all);
        return readAnswer();
    }

    private int readAnswer() throws IOException {
        String status = line();
        if (!status.matches("HTTP/1\\.1 \\d{3}( .*)?")) {
            throw new IOException("answer begins with " + status + " (expected: HTTP/1.1 STATUS)");
        }
        long length = 0;
        boolean chunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(lower.indexOf(':') + 1).strip());
            }
            chunked |= lower.matches("transfer-encoding: *chunked");
        }
        if (chunked) {
            skipChunks();
        } else {
            in.skipNBytes(length);
        }
        return Integer.parseInt(status.substring(9, 12));
    }

    private void skipChunks() throws IOException {
        long length;
        do {
            length = Long.parseLong(line(), HEX);
            in.skipNBytes(length);
            line();
        } while (length > 0);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int each = in.read(); each != '\n'; each = in.read()) {
            if (each < 0) {
                throw new EOFException("connection ended within an answer");
            }
            if (each != '\r') {
                line.append((char) each);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

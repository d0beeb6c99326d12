package io.parterre.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A connection on which a test may do what no HTTP client would. */
final class RawSocket implements AutoCloseable {
    private static final int WAIT_MILLIS_MAX = (int) Duration.ofSeconds(20).toMillis();

    private final Socket socket;

    private RawSocket(Socket socket) {
        this.socket = socket;
    }

    static RawSocket open(URI endpoint) {
        try {
            Socket socket = new Socket();
            socket.setSoTimeout(WAIT_MILLIS_MAX);
            socket.setTcpNoDelay(true);
            socket.connect(
                    new InetSocketAddress(endpoint.getHost(), endpoint.getPort()), WAIT_MILLIS_MAX);
            return new RawSocket(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether all of it could be handed over; the other side may have hung up. */
    boolean send(byte[] bytes, int offset, int length) {
        try {
            socket.getOutputStream().write(bytes, offset, length);
            socket.getOutputStream().flush();
            return true;
        } catch (SocketException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean send(byte[] bytes) {
        return send(bytes, 0, bytes.length);
    }

    /** Says that nothing more will be sent. */
    void endOfRequest() {
        try {
            socket.shutdownOutput();
        } catch (SocketException e) {
            return; // The other side has hung up, and knows.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first line of an answer, or nothing if the other side hangs up without one. */
    String statusLine() {
        StringBuilder line = new StringBuilder();
        try {
            int next = socket.getInputStream().read();
            while (next != -1 && next != '\n') {
                line.append((char) next);
                next = socket.getInputStream().read();
            }
        } catch (SocketException e) {
            return line.toString(); // A reset is a way of hanging up.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.toString().strip();
    }

    /** The head of an answer that has no body, with the empty line that ends it. */
    String answerHead() {
        StringBuilder head = new StringBuilder(statusLine()).append('\n');
        for (String line = statusLine(); !line.isEmpty(); line = statusLine()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    /** Hangs up with a reset instead of a farewell. */
    void reset() {
        try {
            socket.setSoLinger(true, 0);
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
        close();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

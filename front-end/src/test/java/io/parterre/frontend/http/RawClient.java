package io.parterre.frontend.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client that sends and reads bytes, ISO-8859-1 as text, and knows just enough HTTP to wait. */
final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    RawClient(InetSocketAddress server) throws IOException {
        this(new Socket(server.getAddress(), server.getPort()));
    }

    /** Comes from this address, and has a small buffer for what it does not read. */
    static RawClient from(String address, InetSocketAddress server) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 * 1_024);
        socket.bind(new InetSocketAddress(address, 0));
        socket.connect(server);
        return new RawClient(socket);
    }

    RawClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
    }

    RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /**
     * Sends a request whose body no server takes, and whose bytes only go out to the last if they
     * are read: the buffers of both sockets do not hold them.
     */
    void sendMoreThanSocketsHold() throws IOException {
        send("PUT / HTTP/1.1\r\nContent-Length: 32000000\r\n\r\n");
        byte[] part = new byte[1_000_000];
        for (int i = 0; i < 32; i++) {
            send(part);
        }
    }

    /** Reads one answer: head and body, as it came. */
    String answer() throws IOException {
        String head = head();
        return head + new String(in.readNBytes(contentLength(head)), StandardCharsets.ISO_8859_1);
    }

    /** Reads up to the empty line. */
    String head() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String text = "";
        while (!text.endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("connection ended after: " + text);
            }
            bytes.write(next);
            text = bytes.toString(StandardCharsets.ISO_8859_1);
        }
        return text;
    }

    private static int contentLength(String head) {
        for (String line : head.split("\r\n")) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
                return Integer.parseInt(line.substring(16));
            }
        }
        throw new IllegalStateException("no Content-Length: " + head);
    }

    /** Reads until the server ends the connection; what comes before that is returned. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Reads what is there, so many bytes at most; 0 at the end. */
    int some(int most) throws IOException {
        return in.readNBytes(Math.min(most, Math.max(1, in.available()))).length;
    }

    /** Reads one byte, and whatever the server does with the connection, goes on. */
    void nibble() {
        try {
            if (in.available() > 0 && in.read() < 0) {
                return;
            }
        } catch (IOException ended) {
            return;
        }
    }

    boolean hasInput() throws IOException {
        return in.available() > 0;
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Ends the connection with a reset, as a killed process may. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package io.parterre.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands between a client and the service and loses what it is told to lose. One connection carries
 * one exchange, so that what is lost is known. Safe for any thread.
 */
final class LossyProxy implements AutoCloseable {
    /** What becomes of the first exchange; later ones are passed on. */
    enum Loss {
        /** The service never hears of the request. */
        REQUEST,

        /** The service has answered, the client never hears of it. */
        ANSWER
    }

    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *(\\d+)$");
    private static final int WAIT_MILLIS_MAX = 20_000;

    private final URI service;
    private final Loss loss;
    private final ServerSocket listener;
    private final AtomicInteger exchanges = new AtomicInteger();

    LossyProxy(URI service, Loss loss) throws IOException {
        this.service = service;
        this.loss = loss;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::accept, "lossy-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** Where clients find the proxy: the service's endpoint on another port. */
    URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + service.getRawPath());
    }

    /** Exchanges begun so far, the lost one included. */
    int exchanges() {
        return exchanges.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try (Socket client = listener.accept()) {
                client.setSoTimeout(WAIT_MILLIS_MAX);
                exchange(client, exchanges.incrementAndGet() == 1);
            } catch (IOException e) {
                // A client that has enough, or the end of the test: the next one is accepted, or
                // nobody.
                continue;
            }
        }
    }

    private void exchange(Socket client, boolean lossy) throws IOException {
        byte[] request = readMessage(client.getInputStream());
        if (lossy && loss == Loss.REQUEST) {
            return;
        }
        try (Socket server = new Socket(service.getHost(), service.getPort())) {
            server.setSoTimeout(WAIT_MILLIS_MAX);
            server.getOutputStream().write(request);
            byte[] answer = readMessage(server.getInputStream());
            if (lossy) {
                return;
            }
            OutputStream out = client.getOutputStream();
            out.write(answer);
            out.flush();
        }
    }

    /** Head and body of a message whose head gives its length, as both sides' do. */
    private static byte[] readMessage(InputStream in) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (!endsHead(message)) {
            int next = in.read();
            if (next == -1) {
                throw new EOFException("hung up in the middle of a head");
            }
            message.write(next);
        }
        Matcher length = LENGTH.matcher(message.toString(ISO_8859_1));
        byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        message.write(body);
        return message.toByteArray();
    }

    private static boolean endsHead(ByteArrayOutputStream message) {
        return message.toString(ISO_8859_1).endsWith("\r\n\r\n");
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.parterre.bench.subject;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** A collector that accepts spans over HTTP and discards them. Thread-safe. */
public final class SpanSink implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final AtomicLong bytes = new AtomicLong();

    private SpanSink(HttpServer server) {
        this.server = server;
    }

    /** Listens on a free port of the loopback address. */
    public static SpanSink start() throws IOException {
        SpanSink sink =
                new SpanSink(
                        HttpServer.create(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        sink.server.createContext("/", sink::take);
        sink.server.setExecutor(sink.threads);
        sink.server.start();
        return sink;
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            bytes.addAndGet(exchange.getRequestBody().transferTo(OutputStream.nullOutputStream()));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    /** Returns the address for traces. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    /** Returns the bytes received so far. */
    public long bytes() {
        return bytes.get();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

package io.parterre.frontend.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Limits of one HTTP server.
 *
 * @param host address to listen on
 * @param port 0: any free one
 * @param eventLoopThreads threads that do all the work of connections
 * @param connectionsMax one more is closed as soon as it is accepted
 * @param requestLineBytesMax a longer request line is answered with 414
 * @param headerBytesMax longer headers, all of them together, are answered with 431
 * @param bodyBytesMax a longer body is answered with 413
 * @param bytesInFlightMax bodies of requests and large answers held at a time, over all
 *     connections; a request that would exceed it is answered with 503
 * @param pipelinedMax requests of one connection that may wait for their answers; then the
 *     connection is not read
 * @param idleTimeout a connection that sent no whole header for so long is closed
 * @param bodyTimeout a body must have arrived so long after its header
 * @param callTimeout a handler that has not answered for so long is given up, with 500
 * @param stalledWriteTimeout a client that takes none of its answer for so long is cut off
 * @param lingerTimeout how long a refused client's bytes are thrown away before the connection is
 *     closed, so that it reads the refusal and not a reset
 * @param closeTimeout how long running calls may take to end when the server closes
 * @param tls certificate and key; empty: plain HTTP
 */
public record HttpServerConfig(
        String host,
        int port,
        int eventLoopThreads,
        int connectionsMax,
        int requestLineBytesMax,
        int headerBytesMax,
        int bodyBytesMax,
        long bytesInFlightMax,
        int pipelinedMax,
        Duration idleTimeout,
        Duration bodyTimeout,
        Duration callTimeout,
        Duration stalledWriteTimeout,
        Duration lingerTimeout,
        Duration closeTimeout,
        Optional<TlsFiles> tls) {
    private static final int MIB = 1 << 20;

    public HttpServerConfig {
        List<String> problems = new ArrayList<>();
        check(problems, "host", host.length(), 1, 255);
        check(problems, "port", port, 0, 65_535);
        check(problems, "eventLoopThreads", eventLoopThreads, 1, 1_024);
        check(problems, "connectionsMax", connectionsMax, 1, 10_000_000);
        check(problems, "requestLineBytesMax", requestLineBytesMax, 1_024, MIB);
        check(problems, "headerBytesMax", headerBytesMax, 1_024, MIB);
        check(problems, "bodyBytesMax", bodyBytesMax, 0, 1_024 * MIB);
        check(problems, "bytesInFlightMax", bytesInFlightMax, bodyBytesMax, Long.MAX_VALUE);
        check(problems, "pipelinedMax", pipelinedMax, 1, 10_000);
        check(problems, "idleTimeout", idleTimeout);
        check(problems, "bodyTimeout", bodyTimeout);
        check(problems, "callTimeout", callTimeout);
        check(problems, "stalledWriteTimeout", stalledWriteTimeout);
        check(problems, "lingerTimeout", lingerTimeout);
        check(problems, "closeTimeout", closeTimeout);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    /** Everything by default on this address. */
    public static HttpServerConfig listeningOn(String host, int port) {
        return new HttpServerConfig(
                host,
                port,
                Math.max(1, Runtime.getRuntime().availableProcessors()),
                20_000,
                34 * 1_024,
                30 * 1_024,
                // The protocol's 4 MiB for a batch, and room for the multipart frame around it.
                4 * MIB + 256 * 1_024,
                Math.max(8L * MIB, Runtime.getRuntime().maxMemory() / 4),
                16,
                Duration.ofSeconds(120),
                Duration.ofSeconds(60),
                Duration.ofSeconds(120),
                Duration.ofSeconds(60),
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                Optional.empty());
    }

    public HttpServerConfig withTls(TlsFiles files) {
        return new HttpServerConfig(
                host,
                port,
                eventLoopThreads,
                connectionsMax,
                requestLineBytesMax,
                headerBytesMax,
                bodyBytesMax,
                bytesInFlightMax,
                pipelinedMax,
                idleTimeout,
                bodyTimeout,
                callTimeout,
                stalledWriteTimeout,
                lingerTimeout,
                closeTimeout,
                Optional.of(files));
    }

    private static void check(List<String> problems, String name, long value, long min, long max) {
        if (value < min || value > max) {
            problems.add(name + ": " + value + " (expected: " + min + ".." + max + ")");
        }
    }

    private static void check(List<String> problems, String name, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofDays(1)) > 0) {
            problems.add(name + ": " + value + " (expected: above 0, at most a day)");
        }
    }
}

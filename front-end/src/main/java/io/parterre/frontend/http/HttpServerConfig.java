package io.parterre.frontend.http;

import io.parterre.frontend.config.Problems;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits of one HTTP server.
 *
 * @param host address to listen on
 * @param port 0: any free port
 * @param eventLoopThreads threads that do all the work of connections
 * @param connectionsMax most connections; another one is closed as soon as it is accepted, unless
 *     an address with more than its even share of connections has an idle one that makes room
 * @param connectionsPerAddressMax most connections of one address; another one is closed; 0: no
 *     such limit
 * @param requestLineBytesMax a longer request line is answered with 414
 * @param headerBytesMax longer headers, all of them together, are answered with 431
 * @param headerLinesMax more header lines are answered with 431
 * @param bodyBytesMax a longer body is answered with 413
 * @param bytesInFlightMax bytes that clients make the server hold, over all connections: incomplete
 *     headers, bodies of requests, answers not taken; above half of it a request of a client that
 *     holds more than an even share is answered with 503
 * @param pipelinedMax requests of one connection that may wait for their answers; at this limit the
 *     connection is not read
 * @param unsentAnswerBytesMax answer bytes of one connection that the client has not taken; above
 *     this limit no further request of the connection begins
 * @param idleTimeout a connection that sends no complete header for this long is closed
 * @param headerTimeout a connection whose header is incomplete this long after its first byte is
 *     closed
 * @param bodyTimeout time within which a body must arrive after its header
 * @param callTimeout a handler that has not answered for this long is given up, with 500
 * @param stalledWriteTimeout a client that takes its answers too slowly for this long is cut off
 * @param answerBytesPerSecondMin rate below which a client takes its answers too slowly; while more
 *     than half of {@code bytesInFlightMax} is held, such a client is cut off at once; 0: any byte
 *     is enough
 * @param answerRateWindow window over which the rate is measured
 * @param lingerTimeout how long a refused client's bytes are discarded before the connection is
 *     closed, so that the client reads the refusal and not a reset
 * @param closeDelay how long a closing server keeps accepting connections and answering, each
 *     answer the last of its connection, because load balancers need a while to notice
 * @param closeTimeout how long running calls may take to end afterwards
 * @param tls certificate and key; empty for plain HTTP
 */
public record HttpServerConfig(
        String host,
        int port,
        int eventLoopThreads,
        int connectionsMax,
        int connectionsPerAddressMax,
        int requestLineBytesMax,
        int headerBytesMax,
        int headerLinesMax,
        int bodyBytesMax,
        long bytesInFlightMax,
        int pipelinedMax,
        int unsentAnswerBytesMax,
        Duration idleTimeout,
        Duration headerTimeout,
        Duration bodyTimeout,
        Duration callTimeout,
        Duration stalledWriteTimeout,
        int answerBytesPerSecondMin,
        Duration answerRateWindow,
        Duration lingerTimeout,
        Duration closeDelay,
        Duration closeTimeout,
        Optional<TlsFiles> tls) {
    private static final int MIB = 1 << 20;
    private static final Duration TIME_MAX = Duration.ofHours(24);
    private static final Duration CLOSE_DELAY_MAX = Duration.ofHours(1);

    public HttpServerConfig {
        new Problems()
                .range("host", host.length(), 1, 255)
                .range("port", port, 0, 65_535)
                .range("eventLoopThreads", eventLoopThreads, 1, 1_024)
                .range("connectionsMax", connectionsMax, 1, 10_000_000)
                .range("connectionsPerAddressMax", connectionsPerAddressMax, 0, 10_000_000)
                .range("requestLineBytesMax", requestLineBytesMax, 1_024, MIB)
                .range("headerBytesMax", headerBytesMax, 1_024, MIB)
                .range("headerLinesMax", headerLinesMax, 16, 10_000)
                .range("bodyBytesMax", bodyBytesMax, 0, 1_024 * MIB)
                .range("bytesInFlightMax", bytesInFlightMax, bodyBytesMax, Long.MAX_VALUE)
                .range("pipelinedMax", pipelinedMax, 1, 10_000)
                // Netty reports a connection as writable again only once it is below 32 KiB.
                .range("unsentAnswerBytesMax", unsentAnswerBytesMax, 64 * 1_024, 1_024 * MIB)
                .time("idleTimeout", idleTimeout, TIME_MAX)
                .time("headerTimeout", headerTimeout, TIME_MAX)
                .time("bodyTimeout", bodyTimeout, TIME_MAX)
                .time("callTimeout", callTimeout, TIME_MAX)
                .time("stalledWriteTimeout", stalledWriteTimeout, TIME_MAX)
                .range("answerBytesPerSecondMin", answerBytesPerSecondMin, 0, 1_024 * MIB)
                .time("answerRateWindow", answerRateWindow, TIME_MAX)
                .time("lingerTimeout", lingerTimeout, TIME_MAX)
                .check(
                        !closeDelay.isNegative() && closeDelay.compareTo(CLOSE_DELAY_MAX) <= 0,
                        "closeDelay",
                        closeDelay,
                        "0s..1h")
                .time("closeTimeout", closeTimeout, TIME_MAX)
                .refuseIfAny();
    }

    /** Returns the default configuration for this address. */
    public static HttpServerConfig listeningOn(String host, int port) {
        return new HttpServerConfig(
                host,
                port,
                Math.max(1, Runtime.getRuntime().availableProcessors()),
                20_000,
                0,
                34 * 1_024,
                30 * 1_024,
                256,
                // The protocol's 4 MiB for a batch, and room for the multipart frame around it.
                4 * MIB + 256 * 1_024,
                Math.max(8L * MIB, Runtime.getRuntime().maxMemory() / 4),
                16,
                MIB,
                Duration.ofSeconds(120),
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(120),
                Duration.ofSeconds(60),
                4 * 1_024,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                Duration.ZERO,
                Duration.ofSeconds(10),
                Optional.empty());
    }
}

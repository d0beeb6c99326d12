package io.parterre.frontend.http;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Decides whether a connection has waited for long enough. Pure: the caller supplies the time and
 * the state of the connection. Owned by one event loop, which asks a few times within the shortest
 * timeout; the precise moment does not matter.
 */
final class ConnectionDeadlines {
    private static final long INTERVAL_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
    private static final long INTERVAL_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);

    private final long idleNanos;
    private final long headerNanos;
    private final long bodyNanos;
    private final long callNanos;
    private final long stalledNanos;
    private final long windowNanos;
    private final AnswerPace pace;
    private long progressNanos;
    private boolean headerBegun;
    private long headerBeganNanos;

    /** What to do with the connection. */
    enum Verdict {
        KEEP,
        IDLE,
        HEADER_TOO_SLOW,
        ANSWER_STALLED,
        ANSWER_TOO_SLOW,
        BODY_TOO_SLOW,
        CALL_TOO_SLOW
    }

    /**
     * The state of a connection.
     *
     * @param first oldest exchange without an answer on the wire
     * @param incoming exchange whose body is still arriving
     * @param takenBytes answer bytes that the client has taken since the connection was accepted
     * @param unsentBytes answer bytes that the client has not taken
     * @param enforcesShares whether memory is short, so that a slow client hurts others
     */
    record Standing(
            Optional<Exchange> first,
            Optional<Exchange> incoming,
            long takenBytes,
            long unsentBytes,
            boolean enforcesShares) {}

    ConnectionDeadlines(HttpServerConfig config) {
        this.idleNanos = config.idleTimeout().toNanos();
        this.headerNanos = config.headerTimeout().toNanos();
        this.bodyNanos = config.bodyTimeout().toNanos();
        this.callNanos = config.callTimeout().toNanos();
        this.stalledNanos = config.stalledWriteTimeout().toNanos();
        // A window longer than the stall timeout would find every client stalled.
        this.windowNanos = Math.min(stalledNanos, config.answerRateWindow().toNanos());
        this.pace = new AnswerPace(windowNanos, config.answerBytesPerSecondMin());
    }

    /**
     * Notes that a header arrived completely or an answer was sent. Single bytes of a header do not
     * count.
     */
    void progress(long nowNanos) {
        progressNanos = nowNanos;
        headerBegun = false;
    }

    /** Notes that a header has begun and is incomplete; called repeatedly. */
    void headerPending(long nowNanos) {
        if (!headerBegun) {
            headerBegun = true;
            headerBeganNanos = nowNanos;
        }
    }

    /**
     * Notes that no header is awaited: none has begun, or the server itself has stopped reading.
     */
    void noHeaderPending() {
        headerBegun = false;
    }

    long intervalNanos() {
        long shortest =
                Stream.of(idleNanos, headerNanos, bodyNanos, callNanos, windowNanos)
                        .min(Long::compare)
                        .orElseThrow();
        return Math.max(INTERVAL_NANOS_MIN, Math.min(INTERVAL_NANOS_MAX, shortest / 4));
    }

    Verdict check(long nowNanos, Standing standing) {
        pace.look(nowNanos, standing.takenBytes(), standing.unsentBytes());
        if (pace.slowForNanos(nowNanos) >= stalledNanos) {
            return Verdict.ANSWER_STALLED;
        }
        if (pace.slow() && standing.enforcesShares()) {
            return Verdict.ANSWER_TOO_SLOW;
        }
        Optional<Exchange> incoming = standing.incoming();
        if (incoming.isPresent() && nowNanos - incoming.get().startedNanos >= bodyNanos) {
            return Verdict.BODY_TOO_SLOW;
        }
        Optional<Exchange> first = standing.first();
        if (first.isEmpty()) {
            // While a call runs, a late header is tolerated, because the call's answer must not be
            // lost for it.
            if (headerBegun && nowNanos - headerBeganNanos >= headerNanos) {
                return Verdict.HEADER_TOO_SLOW;
            }
            boolean forgotten =
                    standing.unsentBytes() == 0 && nowNanos - progressNanos >= idleNanos;
            return forgotten ? Verdict.IDLE : Verdict.KEEP;
        }
        boolean running = incoming.isEmpty() || first.get() != incoming.get();
        boolean stuck = running && nowNanos - first.get().startedNanos >= callNanos;
        return stuck ? Verdict.CALL_TOO_SLOW : Verdict.KEEP;
    }
}

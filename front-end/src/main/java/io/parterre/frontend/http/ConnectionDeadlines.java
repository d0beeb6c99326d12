package io.parterre.frontend.http;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Decides whether a connection has been waited for long enough. Owned by one event loop, which
 * looks a few times within the shortest timeout; the precise moment does not matter.
 */
final class ConnectionDeadlines {
    private static final long INTERVAL_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
    private static final long INTERVAL_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);

    private final long idleNanos;
    private final long bodyNanos;
    private final long callNanos;
    private final long stalledWriteNanos;
    private long progressNanos;
    private long stalledBytes;
    private long stalledSinceNanos;

    /** What is to be done. */
    enum Verdict {
        KEEP,
        CLOSE,
        BODY_TOO_SLOW,
        CALL_TOO_SLOW
    }

    ConnectionDeadlines(HttpServerConfig config) {
        this.idleNanos = config.idleTimeout().toNanos();
        this.bodyNanos = config.bodyTimeout().toNanos();
        this.callNanos = config.callTimeout().toNanos();
        this.stalledWriteNanos = config.stalledWriteTimeout().toNanos();
    }

    /** A header came in whole or an answer went out. Single bytes of a header do not count. */
    void progress(long nowNanos) {
        progressNanos = nowNanos;
    }

    long intervalNanos() {
        long shortest =
                Stream.of(idleNanos, bodyNanos, callNanos, stalledWriteNanos)
                        .min(Long::compare)
                        .orElseThrow();
        return Math.max(INTERVAL_NANOS_MIN, Math.min(INTERVAL_NANOS_MAX, shortest / 4));
    }

    TimeUnit unit() {
        return TimeUnit.NANOSECONDS;
    }

    /**
     * @param first oldest exchange without an answer on the wire
     * @param incoming exchange whose body is still arriving
     * @param bytesBeforeWritable what the client has to take before more is written
     */
    Verdict check(
            long nowNanos,
            Optional<Exchange> first,
            Optional<Exchange> incoming,
            boolean writable,
            long bytesBeforeWritable) {
        if (writable || bytesBeforeWritable != stalledBytes) {
            stalledBytes = writable ? 0 : bytesBeforeWritable;
            stalledSinceNanos = nowNanos;
        } else if (nowNanos - stalledSinceNanos >= stalledWriteNanos) {
            return Verdict.CLOSE;
        }
        if (incoming.isPresent() && nowNanos - incoming.get().startedNanos >= bodyNanos) {
            return Verdict.BODY_TOO_SLOW;
        }
        if (first.isEmpty()) {
            boolean forgotten = writable && nowNanos - progressNanos >= idleNanos;
            return forgotten ? Verdict.CLOSE : Verdict.KEEP;
        }
        boolean running = incoming.isEmpty() || first.get() != incoming.get();
        boolean stuck = running && nowNanos - first.get().startedNanos >= callNanos;
        return stuck ? Verdict.CALL_TOO_SLOW : Verdict.KEEP;
    }
}

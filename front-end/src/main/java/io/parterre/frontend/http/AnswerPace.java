package io.parterre.frontend.http;

import java.util.concurrent.TimeUnit;

/**
 * Judges whether a client takes its answers fast enough. Sampled now and then. The bytes taken over
 * a whole window count, so that a single byte now and then is no progress. Pure; owned by one event
 * loop.
 */
final class AnswerPace {
    private final long windowNanos;
    private final long bytesPerSecondMin;
    private boolean owing;
    private boolean slow;
    private long windowBeganNanos;
    private long takenBefore;
    private long goodNanos;

    /**
     * Creates the pace of a connection.
     *
     * @param bytesPerSecondMin least rate; 0: any byte is enough
     */
    AnswerPace(long windowNanos, long bytesPerSecondMin) {
        this.windowNanos = windowNanos;
        this.bytesPerSecondMin = bytesPerSecondMin;
    }

    /**
     * Takes a sample.
     *
     * @param takenBytes bytes that the client has taken since the connection began
     * @param unsentBytes bytes that the client has not taken yet
     */
    void look(long nowNanos, long takenBytes, long unsentBytes) {
        if (unsentBytes == 0) {
            owing = false;
            slow = false;
        } else if (!owing) {
            owing = true;
            goodNanos = nowNanos;
            beginWindow(nowNanos, takenBytes);
        } else if (nowNanos - windowBeganNanos >= windowNanos) {
            slow = isSlow(nowNanos - windowBeganNanos, takenBytes - takenBefore);
            if (!slow) {
                goodNanos = nowNanos;
            }
            beginWindow(nowNanos, takenBytes);
        }
    }

    private boolean isSlow(long nanos, long bytes) {
        double least = (double) bytesPerSecondMin * nanos / TimeUnit.SECONDS.toNanos(1);
        return bytes < Math.max(1, least);
    }

    private void beginWindow(long nowNanos, long takenBytes) {
        windowBeganNanos = nowNanos;
        takenBefore = takenBytes;
    }

    /** Returns whether the client was too slow over the last window. */
    boolean slow() {
        return slow;
    }

    /** Returns for how long the client has not been fast enough; 0 if it owes nothing. */
    long slowForNanos(long nowNanos) {
        return owing ? nowNanos - goodNanos : 0;
    }
}

package io.parterre.frontend.http;

import java.util.concurrent.TimeUnit;

/**
 * Whether a client takes its answers fast enough. Looked at now and then; what counts is what was
 * taken over a whole window, so that a single byte now and then does not pass for progress. Pure;
 * owned by one event loop.
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
     * A pace.
     *
     * @param bytesPerSecondMin 0: any byte will do
     */
    AnswerPace(long windowNanos, long bytesPerSecondMin) {
        this.windowNanos = windowNanos;
        this.bytesPerSecondMin = bytesPerSecondMin;
    }

    /**
     * Takes note.
     *
     * @param takenBytes by the client since the connection began
     * @param unsentBytes that it has not taken yet
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

    /** Whether it was too slow over the last window. */
    boolean slow() {
        return slow;
    }

    /** For how long it has not been seen to be fast enough; 0: it owes nothing. */
    long slowForNanos(long nowNanos) {
        return owing ? nowNanos - goodNanos : 0;
    }
}

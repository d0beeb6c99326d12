package io.parterre.server;

import java.time.Duration;

/** What becomes of bytes from one node to another. Safe for any thread. */
final class NetworkWay {
    private boolean cut;
    private boolean refusing;
    private long delayNanos;

    synchronized void cut() {
        cut = true;
    }

    synchronized void refuse() {
        refusing = true;
    }

    synchronized void delay(Duration time) {
        delayNanos = time.toNanos();
    }

    synchronized void heal() {
        cut = false;
        refusing = false;
        delayNanos = 0;
        notifyAll();
    }

    synchronized boolean isCut() {
        return cut;
    }

    synchronized boolean isRefusing() {
        return refusing;
    }

    /** Waits until bytes arrive that were sent at a time. */
    synchronized void awaitPassage(long sentNanos) throws InterruptedException {
        for (; ; ) {
            long leftNanos = delayNanos - (System.nanoTime() - sentNanos);
            if (cut) {
                wait();
            } else if (leftNanos > 0) {
                wait(leftNanos / 1_000_000, (int) (leftNanos % 1_000_000));
            } else {
                return;
            }
        }
    }
}

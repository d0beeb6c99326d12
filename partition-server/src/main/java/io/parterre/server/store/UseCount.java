package io.parterre.server.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the users of the native database, so that it is closed only when nobody uses it. Safe for
 * any thread.
 */
final class UseCount {
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch empty = new CountDownLatch(1);

    void enter() {
        users.incrementAndGet();
        // Checked after counting: either close() counts this user, or this user finds it closed.
        if (closed.get()) {
            leave();
            throw new StoreException("the store is closed");
        }
    }

    void leave() {
        if (users.decrementAndGet() == 0 && closed.get()) {
            empty.countDown();
        }
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Admits no more users. Returns false if that was so before. */
    boolean close() {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        if (users.get() == 0) {
            empty.countDown();
        }
        return true;
    }

    /**
     * Waits until the last user has left. Returns false after the given time, or if interrupted.
     */
    boolean awaitNone(Duration wait) {
        try {
            return empty.await(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

package io.parterre.deploy.backup;

import io.parterre.concurrent.DaemonThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Processes items in parallel; the first failure ends all work. Stateless. */
final class Workers {
    private Workers() {}

    /** The work on one item. */
    interface Work<T> {
        void on(T item) throws IOException;
    }

    /** Returns when all items are processed. */
    static <T> void each(List<T> items, int threads, Work<T> work) throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(threads, DaemonThreads.named("backup"));
        AtomicBoolean failed = new AtomicBoolean();
        try {
            List<Future<?>> running = new ArrayList<>();
            for (T item : items) {
                running.add(
                        pool.submit(
                                () -> {
                                    if (!failed.get()) {
                                        run(item, work, failed);
                                    }
                                    return null;
                                }));
            }
            for (Future<?> each : running) {
                await(each);
            }
        } finally {
            failed.set(true);
            pool.shutdownNow();
        }
    }

    private static <T> void run(T item, Work<T> work, AtomicBoolean failed) throws IOException {
        boolean done = false;
        try {
            work.on(item);
            done = true;
        } finally {
            if (!done) {
                failed.set(true);
            }
        }
    }

    private static void await(Future<?> work) throws IOException {
        try {
            work.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof IOException known) {
                throw known;
            }
            if (cause instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw new IOException(cause);
        }
    }
}

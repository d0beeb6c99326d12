package io.parterre.server.rpc;

import io.parterre.concurrent.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that wait for the disk, and a bounded queue in front of them in which owners take turns.
 * Safe for any thread.
 */
final class ReadPool<K, P, T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadPool.class);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

    private final FairQueue<K, P, T> queue;
    private final int threadCount;
    private final int batchMax;
    private final Consumer<List<T>> work;
    private final TrampolineExecutor answers;
    private final ThreadPoolExecutor threads;
    private final AtomicInteger working = new AtomicInteger();

    /**
     * Makes a pool.
     *
     * @param queueMax number of items that may wait
     * @param batchMax number of items that a thread takes at a time
     * @param work handles the items; does not throw
     * @param answers runs the tasks that the work hands over on the pool's thread after the work
     *     has ended
     */
    ReadPool(
            String name,
            int threadCount,
            int queueMax,
            int batchMax,
            Consumer<List<T>> work,
            TrampolineExecutor answers) {
        this.queue = new FairQueue<>(queueMax);
        this.threadCount = threadCount;
        this.batchMax = batchMax;
        this.work = work;
        this.answers = answers;
        threads =
                new ThreadPoolExecutor(
                        threadCount,
                        threadCount,
                        30,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        DaemonThreads.numbered(name));
    }

    /** Queues an item until {@link #wake}. Returns false if the queue is full. */
    boolean offer(K owner, P part, T item) {
        return queue.offer(owner, part, item);
    }

    /** Starts as many threads as the waiting items are worth. */
    void wake() {
        int wanted = (queue.size() + batchMax - 1) / batchMax;
        int before = working.get();
        while (wanted > 0 && before < threadCount) {
            if (working.compareAndSet(before, before + 1)) {
                begin();
                wanted--;
            }
            before = working.get();
        }
    }

    private void begin() {
        try {
            threads.execute(this::drain);
        } catch (RejectedExecutionException closing) {
            LOG.debug("reads left: the node is closing", closing);
        }
    }

    private void drain() {
        try {
            List<T> batch = queue.poll(batchMax);
            while (!batch.isEmpty()) {
                List<T> taken = batch;
                answers.run(() -> work.accept(taken));
                batch = queue.poll(batchMax);
            }
        } finally {
            working.decrementAndGet();
        }
        // An item may have come after the last poll while this thread still counted as working.
        if (queue.size() > 0) {
            wake();
        }
    }

    int waiting() {
        return queue.size();
    }

    @Override
    public void close() {
        threads.shutdown();
        if (!DaemonThreads.awaitEnd(threads, CLOSE_WAIT)) {
            LOG.warn("reads still run at close");
            threads.shutdownNow();
        }
    }
}

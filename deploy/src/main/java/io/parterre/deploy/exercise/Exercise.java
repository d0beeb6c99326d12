package io.parterre.deploy.exercise;

import io.parterre.concurrent.DaemonThreads;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Loads a table service from several threads, then reads everything back that the ledger contains.
 * {@link #run} may be called once; {@link #stop} by any thread.
 */
public final class Exercise {
    /** What each worker does in its own thread. */
    @FunctionalInterface
    private interface Work {
        void by(Worker worker) throws InterruptedException;
    }

    private final ExercisePlan plan;
    private final TableCalls table;
    private final Optional<Path> file;
    private final InstantSource clock;
    private final Tally tally = new Tally();
    private final PatientCalls calls = new PatientCalls(Retries.OF_SDKS, tally);
    private final CountDownLatch stop = new CountDownLatch(1);

    /**
     * Creates an exercise without sending anything.
     *
     * @param connectionString connection string of the account, as for SDKs
     * @param tryTimeout timeout of one attempt of a call
     * @param file ledger that is read, verified and continued; empty: none is kept
     * @throws IllegalArgumentException if the connection string is invalid
     */
    public Exercise(
            String connectionString,
            ExercisePlan plan,
            Duration tryTimeout,
            Optional<Path> file,
            InstantSource clock) {
        this.plan = plan;
        this.file = file;
        this.clock = clock;
        this.table = new TableCalls(ConnectionString.parse(connectionString), tryTimeout, clock);
    }

    /** Ends the load early; what was written is still verified. */
    public void stop() {
        stop.countDown();
    }

    /**
     * Runs the whole exercise.
     *
     * @throws IOException if the ledger cannot be read or written
     */
    public ExerciseReport run() throws IOException, InterruptedException {
        long beginNanos = System.nanoTime();
        try (LedgerFile ledger =
                file.isPresent() ? LedgerFile.open(file.get()) : LedgerFile.inMemory()) {
            List<Worker> workers = workers(ledger);
            if (createTable()) {
                long endNanos = beginNanos + plan.length().toNanos();
                together(workers, worker -> load(worker, endNanos));
                Queue<EntityKey> left = new ConcurrentLinkedQueue<>(ledger.ledger().keys());
                together(workers, worker -> verify(worker, left));
            }
        }
        return tally.report(Duration.ofNanos(System.nanoTime() - beginNanos));
    }

    private List<Worker> workers(LedgerFile ledger) {
        // A ledger outlives runs, and each key has one writer, so names of workers contain the run.
        String run = Long.toString(clock.millis(), Character.MAX_RADIX);
        SplittableRandom random = new SplittableRandom();
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < plan.workers(); i++) {
            workers.add(
                    new Worker(run + "-" + i, plan, table, calls, ledger, tally, random.split()));
        }
        return workers;
    }

    private boolean createTable() throws InterruptedException {
        Answer answer = calls.call(() -> table.createTable(plan.table())).answer();
        if (answer.isSuccess() || answer.status() == HttpURLConnection.HTTP_CONFLICT) {
            return true;
        }
        tally.failed("creation of table " + plan.table() + ": " + answer.shown());
        return false;
    }

    private void load(Worker worker, long endNanos) throws InterruptedException {
        long pauseNanos = plan.pause().toNanos();
        long nextNanos = System.nanoTime();
        while (nextNanos - endNanos < 0
                && !stop.await(nextNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            worker.step();
            // A delayed worker does not catch up, because this would be a burst.
            nextNanos = Math.max(nextNanos + pauseNanos, System.nanoTime());
        }
    }

    private void verify(Worker worker, Queue<EntityKey> left) throws InterruptedException {
        for (EntityKey key = left.poll(); key != null; key = left.poll()) {
            worker.read(key);
            tally.verified();
        }
    }

    private void together(List<Worker> workers, Work work) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Worker worker : workers) {
            threads.add(DaemonThreads.unstarted("exercise", () -> guarded(work, worker)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /**
     * Reports how a worker ends, because one that ends unnoticed would make any service look
     * correct.
     */
    private void guarded(Work work, Worker worker) {
        try {
            work.by(worker);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            tally.failed("a worker was interrupted");
        } catch (RuntimeException e) {
            tally.failed("a worker ended: " + e);
        }
    }
}

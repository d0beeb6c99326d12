package io.parterre.chaos.workload;

import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Several writers on one table, each with its own thread and ledger. They are started again after
 * each fault and keep their ledgers in between. If the service has several addresses, a writer that
 * gets no answer at one continues at the next. The counters are thread-safe; everything else is
 * confined to the thread that runs the test.
 */
public final class Writers {
    private static final Duration END_WITHIN = Duration.ofSeconds(60);
    private static final Duration PROGRESS_WITHIN = Duration.ofSeconds(60);
    private static final int FAILURES_KEPT = 20;

    private final String table;
    private final Duration pause;
    private final List<Ledger> ledgers = new ArrayList<>();
    private final List<WritePlan> plans = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong unanswered = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong batches = new AtomicLong();
    private final Pulse pulse = new Pulse();
    private final Roster roster = new Roster();
    private volatile boolean stopping;
    private int barriers;

    /**
     * @param seed the same seed gives the same plans; the order among writers depends on the
     *     machine
     */
    public Writers(String table, int writers, long seed) {
        this(table, writers, seed, Duration.ZERO);
    }

    /**
     * Creates writers for many processes on one machine.
     *
     * @param pause pause of each writer after each write, so that the cluster has time to notice
     *     faults
     */
    public Writers(String table, int writers, long seed, Duration pause) {
        this.table = table;
        this.pause = pause;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < writers; i++) {
            Ledger ledger = new Ledger("w" + i + "-");
            ledgers.add(ledger);
            plans.add(new WritePlan(ledger, random.split()));
        }
    }

    public String table() {
        return table;
    }

    List<Ledger> ledgers() {
        return ledgers;
    }

    /** Starts the writers, which run until they are told to stop or lose the server. */
    public void start(TableConnection connection) {
        start(List.of(connection));
    }

    /** Starts the writers, divided evenly among several addresses of the service. */
    public void start(List<TableConnection> connections) {
        stopping = false;
        for (int i = 0; i < ledgers.size(); i++) {
            Ledger ledger = ledgers.get(i);
            WritePlan plan = plans.get(i);
            int first = i;
            Thread thread = new Thread(() -> run(connections, first, ledger, plan), "writer-" + i);
            thread.start();
            threads.add(thread);
        }
    }

    /** Writes an entity that no verification reads, apart from the writers' own. */
    public Answer barrier(TableConnection connection) {
        Change insert = new Change.Insert("b" + barriers++, 0);
        return connection.write(table, new Write("barrier", List.of(insert), false));
    }

    /** Returns the number of writes acknowledged so far, a batch counted once. */
    public long acknowledged() {
        return acknowledged.get();
    }

    /** Returns the number of writes answered with a status of 500 or more so far. */
    public long failed() {
        return failed.get();
    }

    /** Returns the number of writes without an answer so far. */
    public long unanswered() {
        return unanswered.get();
    }

    /** Returns the answers to the first failed writes. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** Returns the times of the writes' acknowledgements. */
    public Pulse pulse() {
        return pulse;
    }

    /** Returns which entities exist. */
    public Roster roster() {
        return roster;
    }

    /** Waits until this many more batches were acknowledged. */
    public void awaitBatches(long more) {
        long goal = batches.get() + more;
        await("acknowledged batches: " + goal)
                .atMost(PROGRESS_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> batches.get() >= goal);
    }

    /** Waits until this many more writes were acknowledged, or until all writers have ended. */
    public void awaitAcknowledged(long more) {
        long goal = acknowledged.get() + more;
        await("acknowledged writes: " + goal)
                .atMost(PROGRESS_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(
                        () ->
                                acknowledged.get() >= goal
                                        || threads.stream().noneMatch(Thread::isAlive));
    }

    public boolean areWorking() {
        return threads.stream().allMatch(Thread::isAlive);
    }

    /** Lets each finish its call and end. */
    public void stop() {
        stopping = true;
        awaitEnd();
    }

    /** Waits until all have ended because the server is gone. */
    public void awaitEnd() {
        await("end of all writers")
                .atMost(END_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> threads.stream().noneMatch(Thread::isAlive));
        threads.clear();
    }

    private void run(List<TableConnection> connections, int first, Ledger ledger, WritePlan plan) {
        try {
            int way = first;
            while (!stopping) {
                LockSupport.parkNanos(pause.toNanos());
                if (!writeOnce(connections.get(way % connections.size()), ledger, plan)) {
                    if (connections.size() == 1) {
                        return;
                    }
                    plan.moveOn();
                    way++;
                }
            }
        } catch (RuntimeException e) {
            // A writer that ends unnoticed would make any server look correct.
            ledger.violate("writer gave up: " + e);
        }
    }

    /** Makes one write; returns whether a server is left at this address. */
    private boolean writeOnce(TableConnection connection, Ledger ledger, WritePlan plan) {
        Write write = plan.next();
        roster.sending(write);
        long begunNanos = System.nanoTime();
        Answer answer = connection.write(table, write);
        if (answer instanceof Answer.Acknowledged acknowledgement) {
            pulse.beat(begunNanos, System.nanoTime());
            ledger.acknowledge(write, acknowledgement.etags());
            roster.acknowledged(write);
            acknowledged.incrementAndGet();
            batches.addAndGet(write.batch() ? 1 : 0);
            return true;
        }
        if (answer instanceof Answer.Failed failure) {
            ledger.doubt(write);
            plan.moveOn();
            if (failed.incrementAndGet() <= FAILURES_KEPT) {
                failures.add(failure.status() + " " + failure.body());
            }
            return true;
        }
        if (answer instanceof Answer.Unanswered) {
            ledger.doubt(write);
            unanswered.incrementAndGet();
            return false;
        }
        throw new IllegalStateException("refused without reason: " + answer + " to " + write);
    }
}

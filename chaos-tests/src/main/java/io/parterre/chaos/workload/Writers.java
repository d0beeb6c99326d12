package io.parterre.chaos.workload;

import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Several writers on one table, each in a thread of its own with a ledger of its own. They are set
 * to work again after each fault and keep their memory in between. The counters are safe for any
 * thread; the rest belongs to the thread that runs the test.
 */
public final class Writers {
    private static final Duration END_WITHIN = Duration.ofSeconds(60);
    private static final Duration PROGRESS_WITHIN = Duration.ofSeconds(60);

    private final String table;
    private final List<Ledger> ledgers = new ArrayList<>();
    private final List<WritePlan> plans = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile boolean stopping;

    /**
     * @param seed same seed, same plans; the order among writers is up to the machine
     */
    public Writers(String table, int writers, long seed) {
        this.table = table;
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

    /** Sets them to work until they are told to stop or lose the server. */
    public void start(TableConnection connection) {
        stopping = false;
        for (int i = 0; i < ledgers.size(); i++) {
            Ledger ledger = ledgers.get(i);
            WritePlan plan = plans.get(i);
            Thread thread = new Thread(() -> run(connection, ledger, plan), "writer-" + i);
            thread.start();
            threads.add(thread);
        }
    }

    /** Writes acknowledged so far, a batch counted once. */
    public long acknowledged() {
        return acknowledged.get();
    }

    /** Writes answered with a status of 500 or more so far. */
    public long failed() {
        return failed.get();
    }

    /** Waits until that many more writes were acknowledged, or until all writers have ended. */
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

    /** Waits until all have ended, since the server is gone. */
    public void awaitEnd() {
        await("end of all writers")
                .atMost(END_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> threads.stream().noneMatch(Thread::isAlive));
        threads.clear();
    }

    private void run(TableConnection connection, Ledger ledger, WritePlan plan) {
        try {
            boolean goOn = true;
            while (goOn && !stopping) {
                goOn = writeOnce(connection, ledger, plan);
            }
        } catch (RuntimeException e) {
            // A writer that dies unnoticed would make any server look right.
            ledger.violate("writer gave up: " + e);
        }
    }

    /** Whether there is a server left to write to. */
    private boolean writeOnce(TableConnection connection, Ledger ledger, WritePlan plan) {
        Write write = plan.next();
        Answer answer = connection.write(table, write);
        if (answer instanceof Answer.Acknowledged acknowledgement) {
            ledger.acknowledge(write, acknowledgement.etags());
            acknowledged.incrementAndGet();
            return true;
        }
        if (answer instanceof Answer.Failed) {
            ledger.doubt(write);
            plan.moveOn();
            failed.incrementAndGet();
            return true;
        }
        if (answer instanceof Answer.Unanswered) {
            ledger.doubt(write);
            return false;
        }
        ledger.violate("refused without reason: " + answer + " to " + write);
        return false;
    }
}

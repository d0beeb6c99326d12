package io.parterre.chaos.workload;

import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.Reading;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Entities whose values one writer each counts up, while readers at every address of the service
 * check what they read against {@link Register}: no read may return less than what was
 * acknowledged, or read, before it began. Reads are by key and, now and then, of the whole table.
 * Counters are thread-safe; everything else is confined to the thread that runs the test.
 */
public final class Registers {
    private static final Duration END_WITHIN = Duration.ofSeconds(90);
    private static final Duration PROGRESS_WITHIN = Duration.ofSeconds(60);
    private static final int REGISTERS = 3;

    /**
     * Pause of each writer and reader after each call, so that the cluster has time to notice
     * faults.
     */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private static final int READS_PER_LIST = 8;
    private static final int VIOLATIONS_KEPT = 50;

    /**
     * With more entities, a first page does not contain all of them. Source: docs/protocol.md 4.7.
     */
    private static final int PAGE_ENTITIES_MAX = 1_000;

    private final String table;
    private final Register[] current = new Register[REGISTERS];
    private final Map<EntityId, Register> all = new LinkedHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong unanswered = new AtomicLong();
    private final Pulse pulse = new Pulse();
    private volatile boolean stopping;

    public Registers(String table) {
        this.table = table;
    }

    public String table() {
        return table;
    }

    /**
     * Starts a writer for each register, and two readers at each of these addresses of the service.
     */
    public void start(List<TableConnection> connections) {
        stopping = false;
        for (int i = 0; i < REGISTERS; i++) {
            int register = i;
            renew(register);
            run("register-writer-" + i, () -> write(connections, register));
        }
        for (int i = 0; i < connections.size() * 2; i++) {
            TableConnection connection = connections.get(i % connections.size());
            int first = i;
            run("register-reader-" + i, () -> read(connection, first));
        }
    }

    private void run(String name, Runnable work) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                work.run();
                            } catch (RuntimeException e) {
                                violate(name + " gave up: " + e);
                            }
                        },
                        name);
        threads.add(thread);
        thread.start();
    }

    /** Lets each finish its call and end. */
    public void stop() {
        stopping = true;
        await("end of writers and readers of registers")
                .atMost(END_WITHIN)
                .until(() -> threads.stream().noneMatch(Thread::isAlive));
        threads.clear();
    }

    /** Waits until this many more writes were acknowledged. */
    public void awaitWritten(long more) {
        long goal = writes.get() + more;
        await("acknowledged writes of registers: " + goal)
                .atMost(PROGRESS_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> writes.get() >= goal);
    }

    /** Returns the violations so far. */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    /** Returns the answers to the first failed calls. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** Returns the number of reads answered so far. */
    public long reads() {
        return reads.get();
    }

    /** Returns the number of writes acknowledged so far. */
    public long writes() {
        return writes.get();
    }

    /** Returns the number of calls answered with an error so far. */
    public long failed() {
        return failed.get();
    }

    /** Returns the number of calls without an answer so far. */
    public long unanswered() {
        return unanswered.get();
    }

    /** Returns the times of the writes' acknowledgements. */
    public Pulse pulse() {
        return pulse;
    }

    private void write(List<TableConnection> connections, int number) {
        int way = number;
        Optional<String> etag = Optional.empty();
        while (!stopping) {
            LockSupport.parkNanos(PAUSE.toNanos());
            Register register = current(number);
            long value = register.nextValue();
            String row = register.id().row();
            Change change =
                    etag.isPresent()
                            ? new Change.Update(row, value, etag.get(), false)
                            : new Change.Insert(row, value);
            long begunNanos = System.nanoTime();
            Answer answer =
                    connections
                            .get(way % connections.size())
                            .write(
                                    table,
                                    new Write(register.id().partition(), List.of(change), false));
            if (answer instanceof Answer.Acknowledged acknowledged) {
                pulse.beat(begunNanos, System.nanoTime());
                register.acknowledged(value);
                writes.incrementAndGet();
                etag = acknowledged.etags().get(0);
                continue;
            }
            if (answer instanceof Answer.Refused refused) {
                violate(register.id() + ": nobody else writes it, but: " + refused);
            } else if (answer instanceof Answer.Failed failure) {
                fail("write " + failure.status() + " " + failure.body());
            } else {
                unanswered.incrementAndGet();
                way++;
            }
            // The write may still happen at any time, so its register gets no other value.
            renew(number);
            etag = Optional.empty();
        }
    }

    private void read(TableConnection connection, int first) {
        for (int i = first; !stopping; i++) {
            LockSupport.parkNanos(PAUSE.toNanos());
            if (i % READS_PER_LIST == 0) {
                list(connection);
            } else {
                readOne(connection, current(i % REGISTERS));
            }
        }
    }

    private void readOne(TableConnection connection, Register register) {
        long floor = register.floor();
        Reading<Optional<StoredEntity>> reading = connection.tryRead(table, register.id());
        answer(reading).ifPresent(found -> judge(register, floor, found));
    }

    private void list(TableConnection connection) {
        Map<Register, Long> floors = new LinkedHashMap<>();
        registers().forEach(register -> floors.put(register, register.floor()));
        answer(connection.tryList(table))
                .filter(found -> found.size() < PAGE_ENTITIES_MAX)
                .ifPresent(
                        found ->
                                floors.forEach(
                                        (register, floor) ->
                                                judge(register, floor, in(found, register))));
    }

    private static Optional<StoredEntity> in(List<StoredEntity> found, Register register) {
        return found.stream().filter(entity -> entity.id().equals(register.id())).findFirst();
    }

    private <T> Optional<T> answer(Reading<T> reading) {
        if (reading instanceof Reading.Answered<T> answered) {
            reads.incrementAndGet();
            return Optional.of(answered.value());
        }
        if (reading instanceof Reading.Failed<T> failure) {
            fail("read " + failure.status() + " " + failure.body());
        } else {
            unanswered.incrementAndGet();
        }
        return Optional.empty();
    }

    private void judge(Register register, long floor, Optional<StoredEntity> found) {
        if (found.isPresent() && !found.get().intact()) {
            violate(register.id() + ": has properties of another version, " + found.get());
        }
        register.judge(floor, found.map(StoredEntity::value)).ifPresent(this::violate);
    }

    private void violate(String what) {
        if (violations.size() < VIOLATIONS_KEPT) {
            violations.add(what);
        }
    }

    private void fail(String what) {
        failed.incrementAndGet();
        if (failures.size() < VIOLATIONS_KEPT) {
            failures.add(what);
        }
    }

    private synchronized Register current(int number) {
        return current[number];
    }

    private synchronized List<Register> registers() {
        return List.copyOf(all.values());
    }

    private synchronized void renew(int number) {
        Register fresh = new Register(new EntityId("p" + number, "r" + all.size()));
        all.put(fresh.id(), fresh);
        current[number] = fresh;
    }
}

package io.parterre.bench.cluster;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.Reading;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import io.parterre.chaos.workload.Pulse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Readers of one entity, which exists and never changes, each with its own thread and connection.
 * Counters are thread-safe; everything else is confined to one thread.
 */
final class Readers {
    private static final String ROW = "read";

    private final String table;
    private final EntityId entity;
    private final Duration pause;
    private final Pulse pulse = new Pulse();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong wrong = new AtomicLong();
    private volatile boolean stopping;

    /**
     * @param partition partition that no one else writes to
     * @param pause pause of each reader after each read
     */
    Readers(String table, String partition, Duration pause) {
        this.table = table;
        this.entity = new EntityId(partition, ROW);
        this.pause = pause;
    }

    /** Writes the entity and starts one reader at each of these addresses of the service. */
    void start(List<TableConnection> connections) {
        Write insert =
                new Write(entity.partition(), List.of(new Change.Insert(entity.row(), 0)), false);
        Answer answer = connections.get(0).write(table, insert);
        if (!(answer instanceof Answer.Acknowledged)) {
            throw new IllegalStateException("entity to be read: " + answer);
        }
        for (TableConnection connection : connections) {
            Thread thread = new Thread(() -> run(connection), "reader-" + threads.size());
            thread.start();
            threads.add(thread);
        }
    }

    private void run(TableConnection connection) {
        while (!stopping) {
            LockSupport.parkNanos(pause.toNanos());
            long begunNanos = System.nanoTime();
            Reading<Optional<StoredEntity>> reading = connection.tryRead(table, entity);
            if (reading instanceof Reading.Answered<Optional<StoredEntity>> answered
                    && answered.value().isPresent()) {
                pulse.beat(begunNanos, System.nanoTime());
            } else {
                wrong.incrementAndGet();
            }
        }
    }

    /** Lets each finish its call and end. */
    void stop() throws InterruptedException {
        stopping = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Returns the times at which reads are answered. */
    Pulse pulse() {
        return pulse;
    }

    /**
     * Returns the number of reads so far that failed, got no answer, or did not find the entity.
     */
    long wrong() {
        return wrong.get();
    }
}

package io.parterre.chaos;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.Reading;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A tenant that behaves: so many calls a second, inserts and point reads in turn. */
final class SteadyTenant {
    private static final int CALLS_PER_SECOND = 50;
    private static final int CALLERS = 4;

    private final TableConnection connection;
    private final String table;
    private final AtomicInteger numbers = new AtomicInteger();

    /** What came of its calls. */
    record Course(int calls, List<String> errors, Duration p50, Duration p99, Duration longest) {
        @Override
        public String toString() {
            return calls
                    + " calls, "
                    + errors.size()
                    + " errors, p50 "
                    + p50.toMillis()
                    + " ms, p99 "
                    + p99.toMillis()
                    + " ms, longest "
                    + longest.toMillis()
                    + " ms";
        }
    }

    SteadyTenant(TableConnection connection, String table) {
        this.connection = connection;
        this.table = table;
    }

    /** Calls for so long. */
    Course during(Duration time) throws InterruptedException {
        List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
        List<String> errors = Collections.synchronizedList(new ArrayList<>());
        ScheduledExecutorService callers = Executors.newScheduledThreadPool(CALLERS);
        for (int i = 0; i < CALLERS; i++) {
            callers.scheduleAtFixedRate(
                    () -> call(nanos, errors),
                    i * 1_000L / CALLS_PER_SECOND,
                    CALLERS * 1_000L / CALLS_PER_SECOND,
                    TimeUnit.MILLISECONDS);
        }
        callers.awaitTermination(time.toMillis(), TimeUnit.MILLISECONDS);
        callers.shutdown();
        if (!callers.awaitTermination(30, TimeUnit.SECONDS)) {
            errors.add("a call has no answer after 30 s");
        }
        List<Long> sorted = nanos.stream().sorted().toList();
        return new Course(
                sorted.size(),
                List.copyOf(errors),
                quantile(sorted, 0.5),
                quantile(sorted, 0.99),
                quantile(sorted, 1));
    }

    private static Duration quantile(List<Long> sorted, double share) {
        int index = (int) Math.ceil(share * sorted.size()) - 1;
        return sorted.isEmpty() ? Duration.ZERO : Duration.ofNanos(sorted.get(Math.max(0, index)));
    }

    private void call(List<Long> nanos, List<String> errors) {
        int number = numbers.getAndIncrement();
        EntityId id = new EntityId("p" + number / 2 % 10, "r" + number / 2);
        long began = System.nanoTime();
        try {
            if (number % 2 == 0) {
                Write insert =
                        new Write(
                                id.partition(),
                                List.of(new Change.Insert(id.row(), number)),
                                false);
                Answer answer = connection.write(table, insert);
                if (!(answer instanceof Answer.Acknowledged)) {
                    errors.add(answer.toString());
                }
            } else {
                Reading<?> reading = connection.tryRead(table, id);
                if (!(reading instanceof Reading.Answered)) {
                    errors.add(reading.toString());
                }
            }
        } catch (RuntimeException failed) {
            errors.add(failed.toString());
        }
        nanos.add(System.nanoTime() - began);
    }
}

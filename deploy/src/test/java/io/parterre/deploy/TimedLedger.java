package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.Ticks;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one client has written, one entity after the other, with the times at which it asked and was
 * answered, and the timestamps that the entities got.
 */
final class TimedLedger {
    private static final int KEYS = 120;

    /** From this status on, the answer does not say what has become of a write. */
    private static final int IN_DOUBT = 500;

    private static final Pattern TIMESTAMP = Pattern.compile("datetime'([^']+)'");

    // Guarded by this.
    private final Map<String, List<Write>> writes = new HashMap<>();
    private int size;

    /**
     * A write, which took effect between two times, both included. Where the answer was that nobody
     * knows, it was repeated until there was another; one that was still in doubt when the client
     * ended is later than all times that are looked at.
     *
     * @param value empty: the entity was deleted
     * @param fromTicks timestamp of the entity; of a deletion, and of what was repeated, the time
     *     at which it was first asked for
     * @param toTicks timestamp of the entity; of a deletion, the time at which it was acknowledged
     */
    private record Write(Optional<String> value, long fromTicks, long toTicks) {}

    synchronized int size() {
        return size;
    }

    private synchronized void note(String key, Write write) {
        writes.computeIfAbsent(key, each -> new ArrayList<>()).add(write);
        size++;
    }

    /** Writes until it is closed. */
    Writer write(TableCalls tables, String table) {
        return new Writer(tables, table);
    }

    /** A client. */
    final class Writer implements AutoCloseable {
        private final AtomicBoolean stop = new AtomicBoolean();
        private final AtomicReference<Throwable> failed = new AtomicReference<>();
        private final Thread thread;

        private Writer(TableCalls tables, String table) {
            thread =
                    new Thread(
                            () -> {
                                Random random = new Random(3);
                                try {
                                    for (int i = 0; !stop.get(); i++) {
                                        write(tables, table, random, i);
                                    }
                                } catch (IOException | InterruptedException failure) {
                                    failed.set(failure);
                                } catch (RuntimeException | Error failure) {
                                    failed.set(failure);
                                }
                            },
                            "test-ledger");
            thread.start();
        }

        private void write(TableCalls tables, String table, Random random, int number)
                throws IOException, InterruptedException {
            int id = random.nextInt(KEYS);
            String partition = "p" + id % 12;
            String row = "r" + id;
            long askedTicks = Ticks.of(Instant.now());
            if (random.nextInt(6) == 0) {
                int status = tables.delete(table, partition, row);
                while (status >= IN_DOUBT && !stop.get()) {
                    status = tables.delete(table, partition, row);
                }
                if (status >= IN_DOUBT) {
                    return;
                }
                assertThat(status).isIn(204, 404);
                note(
                        partition + "/" + row,
                        new Write(Optional.empty(), askedTicks, Ticks.of(Instant.now())));
                return;
            }
            String value = number + "-" + "x".repeat(random.nextInt(800));
            HttpResponse<String> answer = tables.put(table, partition, row, value);
            boolean repeated = false;
            while (answer.statusCode() >= IN_DOUBT && !stop.get()) {
                repeated = true;
                answer = tables.put(table, partition, row, value);
            }
            if (answer.statusCode() >= IN_DOUBT) {
                return;
            }
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
            Matcher tag = TIMESTAMP.matcher(answer.headers().firstValue("ETag").orElseThrow());
            assertThat(tag.find()).isTrue();
            long ticks = Ticks.parse(tag.group(1).replace("%3A", ":")).orElseThrow();
            note(
                    partition + "/" + row,
                    new Write(Optional.of(value), repeated ? askedTicks : ticks, ticks));
        }

        void requireUnharmed() {
            assertThat(failed.get()).isNull();
        }

        @Override
        public void close() throws InterruptedException {
            stop.set(true);
            thread.join();
            requireUnharmed();
        }
    }

    /**
     * Checks that a table holds of each key the last write with a timestamp up to a time. Of one
     * that was under way at the time, either is right where it has none.
     */
    synchronized void requireAsOf(Instant time, TableCalls tables, String table) throws Exception {
        long until = Ticks.of(time);
        int present = 0;
        for (Map.Entry<String, List<Write>> each : writes.entrySet()) {
            Optional<String> expected = Optional.empty();
            Optional<Optional<String>> either = Optional.empty();
            for (Write write : each.getValue()) {
                if (write.fromTicks() > until) {
                    break;
                }
                either = write.toTicks() > until ? Optional.of(expected) : Optional.empty();
                expected = write.value();
            }
            String[] keys = each.getKey().split("/");
            HttpResponse<String> read = tables.read(table, keys[0], keys[1]);
            Optional<String> found =
                    read.statusCode() == 404 ? Optional.empty() : Optional.of(value(read.body()));
            if (either.isPresent() && found.equals(either.get())) {
                continue;
            }
            assertThat(found).as("%s at %s of %s", each.getKey(), time, table).isEqualTo(expected);
            present += found.isPresent() ? 1 : 0;
        }
        assertThat(present).isPositive();
    }

    private static String value(String body) {
        Matcher value = Pattern.compile("\"Value\":\"([^\"]*)\"").matcher(body);
        assertThat(value.find()).as(body).isTrue();
        return value.group(1);
    }
}

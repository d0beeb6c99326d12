package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A table of large entities in many partitions, so that logs grow until they are split. */
record Bulk(String table, TableConnection connection) {
    private static final int PARTITIONS = 40;

    /** In each half of the table, more than a closed segment of a log, 8 MiB, and what is kept. */
    private static final int BATCHES = 260;

    private static final int BATCH = 100;

    /** Its text is the longest of all. */
    private static final long BULKY = 29;

    static Bulk create(String table, TableConnection connection) {
        connection.createTable(table);
        return new Bulk(table, connection);
    }

    /** Writes a little to every partition. */
    void begin() {
        write(0, PARTITIONS);
    }

    /** Writes the rest. */
    void fill() {
        write(PARTITIONS, BATCHES);
    }

    private void write(int from, int toExclusive) {
        for (int i = from; i < toExclusive; i++) {
            List<Change> changes = new ArrayList<>();
            for (int row = 0; row < BATCH; row++) {
                changes.add(new Change.Insert("r" + i + "-" + row, BULKY));
            }
            assertThat(connection.write(table, new Write("p" + i % PARTITIONS, changes, true)))
                    .isInstanceOf(Answer.Acknowledged.class);
        }
    }

    /** Whether all of it is there. */
    boolean isWhole() {
        AtomicInteger found = new AtomicInteger();
        connection.scan(table, entity -> found.addAndGet(entity.intact() ? 1 : 0));
        return found.get() == BATCHES * BATCH;
    }
}

package io.parterre.chaos.workload;

import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.random.RandomGenerator;

/**
 * Chooses the next write: three of four are single, the rest batches of 1 to 100; half of the
 * changes insert, the others update or delete with the ETag in the ledger. Row keys and values are
 * used once. The same generator and ledger give the same writes. Not thread-safe: used by its
 * writer.
 */
final class WritePlan {
    private static final int PARTITIONS = 6;
    private static final int BATCH_MAX = 100;

    /** Keeps the table small enough to be read in full after each fault. */
    private static final int LIVE_PER_PARTITION_MAX = 120;

    private final Ledger ledger;
    private final RandomGenerator random;
    private int generation;
    private int rows;
    private long value;

    WritePlan(Ledger ledger, RandomGenerator random) {
        this.ledger = ledger;
        this.random = random;
    }

    /** Abandons the partitions used so far, because a write in doubt may still change them. */
    void moveOn() {
        generation++;
    }

    Write next() {
        String partition = ledger.owner() + generation + "-" + random.nextInt(PARTITIONS);
        boolean batch = random.nextInt(4) == 0;
        int size = batch ? 1 + random.nextInt(BATCH_MAX) : 1;
        Map<String, Change> changes = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            Change change = change(partition);
            changes.putIfAbsent(change.row(), change);
        }
        return new Write(partition, new ArrayList<>(changes.values()), batch);
    }

    private Change change(String partition) {
        NavigableMap<String, Ledger.Known> live = ledger.liveIn(partition);
        boolean roomLeft = live.size() < LIVE_PER_PARTITION_MAX;
        if (live.isEmpty() || (roomLeft && random.nextInt(2) == 0)) {
            return new Change.Insert(row(rows++), value++);
        }
        // Nearly uniform over the live entities, without a list of them.
        Map.Entry<String, Ledger.Known> chosen = live.ceilingEntry(row(random.nextInt(rows)));
        Map.Entry<String, Ledger.Known> entity = chosen == null ? live.firstEntry() : chosen;
        String etag = entity.getValue().version().etag();
        return random.nextInt(5) == 0
                ? new Change.Delete(entity.getKey(), etag)
                : new Change.Update(entity.getKey(), value++, etag, random.nextBoolean());
    }

    private static String row(int number) {
        return String.format(Locale.ROOT, "r%07d", number);
    }
}

package io.parterre.bench.patterns;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.report.Contrast;
import io.parterre.bench.work.CreateTable;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.Deletes;
import io.parterre.bench.work.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The high-volume delete pattern: the same number of entities deleted one by one, in batches, and
 * with their table, whose name is used again at once. Finding the entities first is not included,
 * because their keys are known. Confined to one thread.
 *
 * @param prefix prefix of the tables' names
 */
public record DeletePattern(Endpoint endpoint, String prefix, long entities, int connections) {
    private static final String SUBJECT = "delete";
    private static final int FILL_CONNECTIONS = 4;

    /** Measures all three ways of deleting. */
    public List<Contrast> run(Consumer<String> progress) throws IOException {
        Calls calls = new Calls(endpoint);
        Dataset first = filled(calls, "singly");
        Duration singly = calls.all(connections, Deletes.singly(first));
        progress.accept("delete, one by one: " + text(singly) + " s");
        Dataset second = filled(calls, "batches");
        Duration inBatches = calls.all(FILL_CONNECTIONS, Deletes.inBatches(second));
        progress.accept("delete, in batches: " + text(inBatches) + " s");
        Dataset third = filled(calls, "table");
        Duration withTable = calls.all(1, Deletes.withTable(third.table()));
        Duration created = calls.all(1, CreateTable.fresh(third.table()));
        // The same rows: if one of the old ones were left, its insert would be refused.
        Duration filled = calls.all(FILL_CONNECTIONS, Workload.fill(third));
        progress.accept("delete, with the table: " + text(withTable) + " s");
        for (Dataset each : List.of(first, second, third)) {
            calls.all(1, Deletes.withTable(each.table()));
        }
        String all = "%,d entities, s: ".formatted(entities);
        return List.of(
                contrast(
                        all + "one by one, %d callers; with the table".formatted(connections),
                        singly,
                        withTable),
                contrast(
                        all
                                + "in batches of 100, %d callers; with the table"
                                        .formatted(FILL_CONNECTIONS),
                        inBatches,
                        withTable),
                contrast("the name again, s: created; filled with the same keys", created, filled));
    }

    private static Contrast contrast(String what, Duration before, Duration after) {
        return new Contrast(
                SUBJECT,
                what,
                text(before),
                text(after),
                Map.of("before", before.toNanos() / 1e9, "after", after.toNanos() / 1e9));
    }

    private Dataset filled(Calls calls, String name) throws IOException {
        Dataset dataset = new Dataset(prefix + name, entities);
        calls.all(1, CreateTable.fresh(dataset.table()));
        calls.all(FILL_CONNECTIONS, Workload.fill(dataset));
        return dataset;
    }

    private static String text(Duration time) {
        return String.format(Locale.ROOT, "%,.2f", time.toNanos() / 1e9);
    }
}

package io.parterre.server.query;

import io.parterre.entity.ByteSink;
import io.parterre.entity.Projection;
import io.parterre.filter.EntityPredicate;
import io.parterre.filter.Filter;
import io.parterre.key.Key;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Makes one page from rows in key order. After the last row of a full page the scan goes on to the
 * next match, so that a caller is not sent for an empty page. Not thread-safe: one per page.
 */
public final class Scan {
    /** Reading the clock costs as much as a small row. */
    private static final int ROWS_BETWEEN_TIME_CHECKS = 32;

    private final RowTest test;
    private final ScanBudget budget;
    private final LongSupplier nanoTicker;
    private final ByteSink page = new ByteSink(4096);
    private int rowCount;
    private int examinedRows;

    private Scan(RowTest test, ScanBudget budget, LongSupplier nanoTicker) {
        this.test = test;
        this.budget = budget;
        this.nanoTicker = nanoTicker;
    }

    /**
     * Makes a scan of entities.
     *
     * @param filter empty: every entity
     * @param select custom properties to return; empty: all of them
     * @param nanoTicker time in nanoseconds from any origin
     */
    public static Scan ofEntities(
            Optional<Filter> filter,
            Optional<List<String>> select,
            ScanBudget budget,
            LongSupplier nanoTicker) {
        return new Scan(
                new EntityRows(filter.map(EntityPredicate::new), select.map(Projection::new)),
                budget,
                nanoTicker);
    }

    /** Makes a scan of rows of other key spaces, returned as they are stored. */
    public static Scan ofRows(ScanBudget budget, LongSupplier nanoTicker) {
        return new Scan(new RawRows(), budget, nanoTicker);
    }

    /**
     * Runs the scan.
     *
     * @param rows starts at the first row of the interval and ends with its last
     * @throws IllegalArgumentException if a stored row is malformed
     */
    public ScanResult run(RowSource rows) {
        long startNanos = nanoTicker.getAsLong();
        long budgetNanos = budget.timeMax().toNanos();
        for (; rows.valid(); rows.next()) {
            if (examinedRows > 0
                    && (examinedRows >= budget.examinedRowsMax()
                            || examinedRows % ROWS_BETWEEN_TIME_CHECKS == 0
                                    && nanoTicker.getAsLong() - startNanos >= budgetNanos)) {
                return endAt(rows);
            }
            examinedRows++;
            if (test.matches(rows) && !take(rows)) {
                return endAt(rows);
            }
        }
        return result(Optional.empty());
    }

    private boolean take(RowSource row) {
        boolean full = rowCount >= budget.rowsMax();
        boolean tooLarge =
                rowCount > 0
                        && (long) page.size() + row.keyLength() + row.valueLength()
                                > budget.bytesMax();
        if (full || tooLarge) {
            return false;
        }
        test.copyTo(row, page);
        rowCount++;
        return true;
    }

    private ScanResult endAt(RowSource row) {
        return result(Optional.of(Key.wrap(Arrays.copyOf(row.key(), row.keyLength()))));
    }

    private ScanResult result(Optional<Key> resumeKey) {
        return new ScanResult(page.toBytes(), rowCount, examinedRows, resumeKey);
    }
}

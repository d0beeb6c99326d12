package io.parterre.frontend.client;

import io.parterre.proto.range.ScanBudget;
import io.parterre.proto.range.ScanPage;
import java.time.Duration;

/**
 * What is left of a page's limits: rows, bytes, stored entities to examine, time. Not thread-safe;
 * one per query.
 */
final class PageBudget {
    private final Deadline end;
    private int rows;
    private long bytes;
    private long examinedRows;

    /**
     * @param end when the page ends; before the client's deadline, so that the client still gets a
     *     continuation token
     */
    PageBudget(int rows, long bytes, long examinedRows, Deadline end) {
        this.rows = rows;
        this.bytes = bytes;
        this.examinedRows = examinedRows;
        this.end = end;
    }

    void spend(ScanPage page) {
        rows -= page.getRowCount();
        bytes -= page.getRows().size();
        examinedRows -= page.getExaminedRows();
    }

    /**
     * Returns whether the page has no room for another row. A scan then only finds out whether
     * another row exists.
     */
    boolean isFull() {
        return rows <= 0 || bytes <= 0;
    }

    /** Returns whether no more entities may be examined. */
    boolean isSpent() {
        return examinedRows <= 0 || end.isOver();
    }

    Duration timeLeft() {
        return end.left();
    }

    ScanBudget toProto() {
        return ScanBudget.newBuilder()
                .setRowsMax(isFull() ? 0 : rows)
                .setBytesMax((int) Math.max(1, bytes))
                .setExaminedRowsMax((int) Math.max(1, Math.min(Integer.MAX_VALUE, examinedRows)))
                .setTimeMillisMax((int) Math.max(1, end.left().toMillis()))
                .build();
    }
}

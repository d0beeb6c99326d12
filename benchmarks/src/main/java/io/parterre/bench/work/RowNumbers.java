package io.parterre.bench.work;

/** Numbers of rows that do not exist yet, shared by several runs on one table. Not thread-safe. */
public final class RowNumbers {
    private long next;
    private final long end;

    private RowNumbers(long next, long end) {
        this.next = next;
        this.end = end;
    }

    /** Returns numbers without an end. */
    public static RowNumbers from(long first) {
        return new RowNumbers(first, Long.MAX_VALUE);
    }

    public static RowNumbers between(long first, long endExclusive) {
        return new RowNumbers(first, endExclusive);
    }

    long left() {
        return end - next;
    }

    /** Reserves {@code count} numbers for another user, and returns the first of them. */
    public long reserve(int count) {
        return take(count);
    }

    /** Takes {@code count} numbers for the caller, and returns the first of them. */
    long take(int count) {
        long first = next;
        next += count;
        return first;
    }
}

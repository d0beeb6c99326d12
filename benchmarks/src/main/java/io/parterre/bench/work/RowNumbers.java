package io.parterre.bench.work;

/** Numbers of rows that don't exist yet; several runs on one table share it. Not thread-safe. */
public final class RowNumbers {
    private long next;
    private final long end;

    private RowNumbers(long next, long end) {
        this.next = next;
        this.end = end;
    }

    /** Without end. */
    public static RowNumbers from(long first) {
        return new RowNumbers(first, Long.MAX_VALUE);
    }

    public static RowNumbers between(long first, long endExclusive) {
        return new RowNumbers(first, endExclusive);
    }

    long left() {
        return end - next;
    }

    /** Sets as many aside for somebody else, who gets the first of them. */
    public long reserve(int count) {
        return take(count);
    }

    /** Gives the first of {@code count} numbers that belong to the caller now. */
    long take(int count) {
        long first = next;
        next += count;
        return first;
    }
}

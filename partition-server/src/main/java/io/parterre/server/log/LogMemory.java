package io.parterre.server.log;

/**
 * Heap for the logs of a node's ranges, bounded by the heap size. Ratis 3.3.0 keeps the entries of
 * a log's open segment and of one closed segment, and a record of each entry of every retained
 * segment, whatever the entry's size. Pure.
 *
 * @param segmentBytes size at which a segment is closed
 * @param recordsMax entries beyond those not yet durable that all ranges of the node retain
 *     together
 */
public record LogMemory(int segmentBytes, long recordsMax) {
    private static final int SEGMENT_BYTES_MIN = 256 << 10;

    /** A larger segment saves no more syncs that matter. */
    private static final int SEGMENT_BYTES_MAX = 8 << 20;

    /**
     * Divisor of the heap size that gives the size of a segment. A hundred busy ranges with two
     * cached segments each leave most of the heap to others.
     */
    private static final int SEGMENT_HEAP_PART = 1_024;

    /** Divisor for the part of the heap that holds the records of entries. */
    private static final int RECORDS_HEAP_PART = 8;

    /** Heap of one record: a node of a skip list, its key, offset, header, term and index. */
    private static final int RECORD_HEAP_BYTES = 144;

    /** Returns the memory for a heap of this many bytes. */
    public static LogMemory ofHeap(long heapBytesMax) {
        // Not rounded down to a power of two: a virtual machine reports less than its -Xmx, so that
        // rounding would halve the segment.
        long segment = heapBytesMax / SEGMENT_HEAP_PART;
        return new LogMemory(
                (int) Math.max(SEGMENT_BYTES_MIN, Math.min(SEGMENT_BYTES_MAX, segment)),
                heapBytesMax / RECORDS_HEAP_PART / RECORD_HEAP_BYTES);
    }

    /** Returns the number of entries that each of this many ranges retains. */
    public long recordsMaxEach(int ranges) {
        return recordsMax / Math.max(1, ranges);
    }
}

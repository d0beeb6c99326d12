package io.parterre.server.log;

/**
 * Heap that the logs of a node's ranges take, bounded by the heap there is. Ratis 3.3.0 keeps the
 * entries of a log's open segment and of one closed segment, and a record of each entry of every
 * retained segment, whatever its size. Pure.
 *
 * @param segmentBytes size from which a segment is closed
 * @param recordsMax entries that all ranges of the node retain together beyond what is not durable
 */
public record LogMemory(int segmentBytes, long recordsMax) {
    private static final int SEGMENT_BYTES_MIN = 256 << 10;

    /** A larger segment saves no more syncs that matter. */
    private static final int SEGMENT_BYTES_MAX = 8 << 20;

    /**
     * Part of the heap that is one segment. A hundred busy ranges with two cached segments each
     * leave most of the heap to others.
     */
    private static final int SEGMENT_HEAP_PART = 1_024;

    /** Part of the heap for the records of entries. */
    private static final int RECORDS_HEAP_PART = 8;

    /** Heap of one record: a node of a skip list, its key, offset, header, term and index. */
    private static final int RECORD_HEAP_BYTES = 144;

    /** For a heap of this many bytes. */
    public static LogMemory ofHeap(long heapBytesMax) {
        // A virtual machine tells less than its -Xmx, which one that rounds down would halve.
        long segment = heapBytesMax / SEGMENT_HEAP_PART;
        return new LogMemory(
                (int) Math.max(SEGMENT_BYTES_MIN, Math.min(SEGMENT_BYTES_MAX, segment)),
                heapBytesMax / RECORDS_HEAP_PART / RECORD_HEAP_BYTES);
    }

    /** Entries that one of so many ranges retains. */
    public long recordsMaxEach(int ranges) {
        return recordsMax / Math.max(1, ranges);
    }
}

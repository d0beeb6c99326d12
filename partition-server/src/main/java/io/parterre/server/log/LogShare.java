package io.parterre.server.log;

import java.util.function.IntSupplier;

/**
 * One range's share of {@link LogMemory}. Safe for any thread.
 *
 * @param ranges count of the node's ranges now
 */
public record LogShare(LogMemory memory, IntSupplier ranges) {
    /** Entries that the range retains beyond what is not durable. */
    public long recordsMax() {
        return memory.recordsMaxEach(ranges.getAsInt());
    }

    /** Size from which a segment of its log is closed. */
    public int segmentBytes() {
        return memory.segmentBytes();
    }
}

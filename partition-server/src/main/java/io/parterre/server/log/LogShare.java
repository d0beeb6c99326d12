package io.parterre.server.log;

import java.util.function.IntSupplier;

/**
 * One range's share of {@link LogMemory}. Safe for any thread.
 *
 * @param ranges present number of the node's ranges
 */
public record LogShare(LogMemory memory, IntSupplier ranges) {
    /** Number of entries beyond those not yet durable that the range retains. */
    public long recordsMax() {
        return memory.recordsMaxEach(ranges.getAsInt());
    }

    /** Size at which a segment of its log is closed. */
    public int segmentBytes() {
        return memory.segmentBytes();
    }
}

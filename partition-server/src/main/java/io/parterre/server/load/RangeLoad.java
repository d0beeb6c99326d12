package io.parterre.server.load;

import java.time.Duration;

/**
 * Load of a range at its leader. Immutable.
 *
 * @param cpuPermille processor time, in thousandths of one core
 * @param observed time for which this leader has led the range within these bounds
 */
public record RangeLoad(
        double readsPerSecond,
        double writesPerSecond,
        double bytesPerSecond,
        double refusedPerSecond,
        double cpuPermille,
        Duration observed,
        LoadProfile profile) {
    /** Returns reads and writes per second. */
    public double operationsPerSecond() {
        return readsPerSecond + writesPerSecond;
    }
}

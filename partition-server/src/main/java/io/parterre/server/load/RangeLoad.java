package io.parterre.server.load;

import java.time.Duration;

/**
 * What is asked of a range at its leader.
 *
 * @param cpuPermille time that processors spend on it, in thousandths of one core
 * @param observed for how long it has led the range within these bounds
 */
public record RangeLoad(
        double readsPerSecond,
        double writesPerSecond,
        double bytesPerSecond,
        double refusedPerSecond,
        double cpuPermille,
        Duration observed,
        LoadProfile profile) {
    /** Reads and writes. */
    public double operationsPerSecond() {
        return readsPerSecond + writesPerSecond;
    }
}

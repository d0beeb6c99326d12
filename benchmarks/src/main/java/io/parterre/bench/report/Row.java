package io.parterre.bench.report;

import io.parterre.bench.load.Measurement;

/**
 * One measured row.
 *
 * @param system the measured system
 * @param workload the workload
 * @param unit unit of the rate: operations or entities
 * @param cpuMicrosPerOperation processor time of the system's process for one operation, which
 *     other load of the machine affects less than a rate; NaN if unknown
 */
public record Row(
        String system,
        String workload,
        String unit,
        int connections,
        double cpuMicrosPerOperation,
        Measurement measurement) {
    /** Returns the rate in the row's unit. */
    public double perSecond() {
        return unit.equals("entities")
                ? measurement.entitiesPerSecond()
                : measurement.operationsPerSecond();
    }

    /** Returns whether the row measures the same thing, possibly of another system. */
    boolean comparesWith(Row other) {
        return workload.equals(other.workload) && connections == other.connections;
    }

    /** Returns whether the row measures the same thing of the same system. */
    public boolean repeats(Row other) {
        return system.equals(other.system) && comparesWith(other);
    }
}

package io.parterre.bench.report;

import io.parterre.bench.load.Measurement;

/**
 * One measured line.
 *
 * @param system what was measured
 * @param workload what was asked of it
 * @param unit what the rate counts: operations or entities
 * @param cpuMicrosPerOperation processor time of the system's process for one operation, which the
 *     neighbours on a machine disturb less than they do a rate; NaN if unknown
 */
public record Row(
        String system,
        String workload,
        String unit,
        int connections,
        double cpuMicrosPerOperation,
        Measurement measurement) {
    /** In the row's unit. */
    public double perSecond() {
        return unit.equals("entities")
                ? measurement.entitiesPerSecond()
                : measurement.operationsPerSecond();
    }

    /** Whether it measures the same thing, perhaps of another system. */
    boolean comparesWith(Row other) {
        return workload.equals(other.workload) && connections == other.connections;
    }

    /** Whether it measures the same thing of the same system. */
    public boolean repeats(Row other) {
        return system.equals(other.system) && comparesWith(other);
    }
}

package io.parterre.manager.plan.policy;

/**
 * The load of a range or a node in two measures. {@link SplitPolicy#weigh} compares them.
 * Immutable.
 *
 * @param operationsPerSecond reads and writes
 * @param cpuPermille processor time, in thousandths of one core
 */
public record Demand(double operationsPerSecond, double cpuPermille) {
    public static final Demand NONE = new Demand(0, 0);

    public Demand plus(Demand other) {
        return new Demand(
                operationsPerSecond + other.operationsPerSecond, cpuPermille + other.cpuPermille);
    }

    public Demand minus(Demand other) {
        return plus(other.times(-1));
    }

    public Demand times(double factor) {
        return new Demand(operationsPerSecond * factor, cpuPermille * factor);
    }

    /** Returns the larger value of each measure. */
    public Demand max(Demand other) {
        return new Demand(
                Math.max(operationsPerSecond, other.operationsPerSecond),
                Math.max(cpuPermille, other.cpuPermille));
    }
}

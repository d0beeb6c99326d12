package io.parterre.manager.plan.policy;

/**
 * What is asked of a range or a node, in both respects in which it may be too much. Which of the
 * two it is, {@link SplitPolicy#weigh} says.
 *
 * @param operationsPerSecond reads and writes
 * @param cpuPermille time of processors, in thousandths of one core
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

    /** The more of the two, in each respect. */
    public Demand max(Demand other) {
        return new Demand(
                Math.max(operationsPerSecond, other.operationsPerSecond),
                Math.max(cpuPermille, other.cpuPermille));
    }
}

package io.parterre.manager.plan.policy;

import io.parterre.check.Require;
import io.parterre.manager.map.Split;
import java.time.Duration;

/**
 * When the planner splits ranges.
 *
 * @param enabled whether the planner splits; operators may split in any case
 * @param operationsPerSecondMax reads and writes of one range above which a part of it is led
 *     elsewhere
 * @param cpuPermilleMax processor time spent on one range, in thousandths of one core, above which
 *     a part of it is led elsewhere
 * @param bytesMax size of one range above which it is split
 * @param observeFor a leader's figures count once it has led the range for this long
 * @param splitsMax splits at once in the whole cluster
 */
public record SplitPolicy(
        boolean enabled,
        int operationsPerSecondMax,
        int cpuPermilleMax,
        long bytesMax,
        Duration observeFor,
        int splitsMax) {
    /**
     * The load limits are well within what one partition bears on a small machine, or most of one
     * core. The size limit allows few, large ranges.
     */
    public static final SplitPolicy DEFAULT =
            new SplitPolicy(true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 8);

    /** Upper bound of a part's size after a split, as a fraction of {@code bytesMax}. */
    private static final double FULL_AFTER_SPLIT_POINT = 0.6;

    public SplitPolicy {
        Require.positive("operationsPerSecondMax", operationsPerSecondMax);
        Require.positive("cpuPermilleMax", cpuPermilleMax);
        Require.positive("bytesMax", bytesMax);
        Require.positive("splitsMax", splitsMax);
        Require.notNegative("observeFor", observeFor);
    }

    /**
     * Returns the weight of a demand in operations a second: the larger of its operations and its
     * processor time, where {@code cpuPermilleMax} counts as {@code operationsPerSecondMax}. So all
     * demands are compared in one unit.
     */
    public double weigh(Demand demand) {
        return Math.max(demand.operationsPerSecond(), cpuInOperations(demand));
    }

    /** Returns whether the range's processor time weighs more than its operations. */
    public boolean isOfCpu(Demand demand) {
        return cpuInOperations(demand) > demand.operationsPerSecond();
    }

    private double cpuInOperations(Demand demand) {
        return demand.cpuPermille() * operationsPerSecondMax / cpuPermilleMax;
    }

    /** Returns whether a range with this demand has to be split. */
    public boolean isTooMuch(Demand demand) {
        return weigh(demand) > operationsPerSecondMax;
    }

    /**
     * Returns the number of parts into which a range of this size is split: the fewest that leave
     * no part above three fifths of the limit. So two neighbours together exceed the half up to
     * which they would be merged again, and each may grow before it is split again.
     */
    public int parts(long sizeBytes) {
        double most = bytesMax * FULL_AFTER_SPLIT_POINT;
        return (int) Math.max(2, Math.min(Split.PARTS_MAX, Math.ceil(sizeBytes / most)));
    }

    /** Returns the upper bound of a quiet range's load, in operations a second. */
    public double quietMax() {
        return operationsPerSecondMax / 2.0;
    }
}

package io.parterre.manager.plan.policy;

import io.parterre.manager.map.Split;
import java.time.Duration;

/**
 * When ranges are split without being asked for.
 *
 * @param enabled whether they are at all; operators may split in any case
 * @param operationsPerSecondMax reads and writes of one range above which a part of it is led
 *     elsewhere
 * @param cpuPermilleMax processor time spent on one range, in thousandths of one core, above which
 *     a part of it is led elsewhere
 * @param bytesMax size of one range above which it is split
 * @param observeFor a leader's numbers count once it has led the range for so long
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
     * Well within what one partition bears on a small machine, or most of one core; few, large
     * ranges.
     */
    public static final SplitPolicy DEFAULT =
            new SplitPolicy(true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 8);

    /** Of its limit, what a part holds at most. */
    private static final double FULL_AFTER_SPLIT_POINT = 0.6;

    public SplitPolicy {
        requirePositive("operationsPerSecondMax", operationsPerSecondMax);
        requirePositive("cpuPermilleMax", cpuPermilleMax);
        requirePositive("bytesMax", bytesMax);
        requirePositive("splitsMax", splitsMax);
        if (observeFor.isNegative()) {
            throw new IllegalArgumentException(
                    "observeFor: " + observeFor + " (expected: not negative)");
        }
    }

    /**
     * What a demand is worth in operations a second: those, or its processor time at so many as are
     * the limit for the limit of that, the greater of the two. So all that is compared has one
     * unit.
     */
    public double weigh(Demand demand) {
        return Math.max(demand.operationsPerSecond(), cpuInOperations(demand));
    }

    /** Whether it is a range's processor time that weighs more. */
    public boolean isOfCpu(Demand demand) {
        return cpuInOperations(demand) > demand.operationsPerSecond();
    }

    private double cpuInOperations(Demand demand) {
        return demand.cpuPermille() * operationsPerSecondMax / cpuPermilleMax;
    }

    /** Whether a range of which so much is asked is to be split. */
    public boolean isTooMuch(Demand demand) {
        return weigh(demand) > operationsPerSecondMax;
    }

    /**
     * In how many a range of that size is split: as few as leave none more than three fifths of the
     * limit. So two neighbours hold more than the half up to which they would be merged again, and
     * each may grow before it is split again.
     */
    public int parts(long sizeBytes) {
        double most = bytesMax * FULL_AFTER_SPLIT_POINT;
        return (int) Math.max(2, Math.min(Split.PARTS_MAX, Math.ceil(sizeBytes / most)));
    }

    /** In operations a second: below, a range is quiet. */
    public double quietMax() {
        return operationsPerSecondMax / 2.0;
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }
}

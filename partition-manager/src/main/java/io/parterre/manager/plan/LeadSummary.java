package io.parterre.manager.plan;

import java.time.Duration;
import java.util.Collection;

/**
 * What a node tells of the ranges that it leads, in a few numbers.
 *
 * @param operationsPerSecond asked of all of them
 * @param hottestPerSecond asked of the one of which most is asked
 * @param largestBytes of the one that holds most
 * @param allTold whether of all of them is told what is asked
 * @param leastObserved for how long the one that it leads the shortest has been led
 */
record LeadSummary(
        int ranges,
        double operationsPerSecond,
        double hottestPerSecond,
        long largestBytes,
        boolean allTold,
        Duration leastObserved) {
    private static final Duration EVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final LeadSummary NONE = new LeadSummary(0, 0, 0, 0, true, EVER);

    static LeadSummary of(Collection<NodeReport.Replica> leading) {
        if (leading.isEmpty()) {
            return NONE;
        }
        double operations = 0;
        double hottest = 0;
        long largest = 0;
        boolean allTold = true;
        Duration least = EVER;
        for (NodeReport.Replica replica : leading) {
            largest = Math.max(largest, replica.sizeBytes());
            if (replica.load().isEmpty()) {
                allTold = false;
                continue;
            }
            RangeLoad load = replica.load().get();
            operations += load.operationsPerSecond();
            hottest = Math.max(hottest, load.operationsPerSecond());
            least = load.observed().compareTo(least) < 0 ? load.observed() : least;
        }
        return new LeadSummary(leading.size(), operations, hottest, largest, allTold, least);
    }

    /** Whether what it leads was led elsewhere, or within other bounds, so short a time ago. */
    boolean isUnsettled(Duration observeFor) {
        return !allTold || leastObserved.compareTo(observeFor) < 0;
    }
}

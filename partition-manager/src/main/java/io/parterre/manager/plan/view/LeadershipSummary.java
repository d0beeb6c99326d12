package io.parterre.manager.plan.view;

import io.parterre.manager.plan.policy.Demand;
import java.time.Duration;
import java.util.Collection;

/**
 * What a node tells of the ranges that it leads, in a few numbers.
 *
 * @param demand on all of them
 * @param hottest in each respect, that on the one on which it is most
 * @param largestBytes of the one that holds most
 * @param allTold whether of all of them is told what is asked
 * @param leastObserved for how long the one that it leads the shortest has been led
 */
public record LeadershipSummary(
        int ranges,
        Demand demand,
        Demand hottest,
        long largestBytes,
        boolean allTold,
        Duration leastObserved) {
    private static final Duration EVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final LeadershipSummary NONE =
            new LeadershipSummary(0, Demand.NONE, Demand.NONE, 0, true, EVER);

    static LeadershipSummary of(Collection<NodeReport.Replica> leading) {
        if (leading.isEmpty()) {
            return NONE;
        }
        Demand demand = Demand.NONE;
        Demand hottest = Demand.NONE;
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
            demand = demand.plus(load.demand());
            hottest = hottest.max(load.demand());
            least = load.observed().compareTo(least) < 0 ? load.observed() : least;
        }
        return new LeadershipSummary(leading.size(), demand, hottest, largest, allTold, least);
    }

    /** Whether what it leads was led elsewhere, or within other bounds, so short a time ago. */
    public boolean isUnsettled(Duration observeFor) {
        return !allTold || leastObserved.compareTo(observeFor) < 0;
    }
}

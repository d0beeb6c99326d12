package io.parterre.manager.plan.view;

import io.parterre.manager.plan.policy.Demand;
import java.time.Duration;
import java.util.Collection;

/**
 * The load of the ranges that a node leads, in a few figures.
 *
 * @param demand sum over all of them
 * @param hottest largest demand of one range, in each measure
 * @param largestBytes size of the largest range
 * @param allTold whether the load of all of them was reported
 * @param leastObserved shortest time for which the node has led one of them
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

    /**
     * Returns whether a load is not reported, or a range had another leader or other bounds within
     * this time.
     */
    public boolean isUnsettled(Duration observeFor) {
        return !allTold || leastObserved.compareTo(observeFor) < 0;
    }
}

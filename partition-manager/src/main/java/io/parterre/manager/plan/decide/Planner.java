package io.parterre.manager.plan.decide;

import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.Census;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.OddRanges;
import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides what is to be done about the cluster: first about ranges in danger, most endangered
 * first, then about draining nodes, zones, splits, balance, leadership and merges. At most one
 * operation changes a range, and operations in progress count. No decision leaves a range without a
 * majority of healthy members, and a cluster that is as it should be is not changed. Stateless and
 * thread-safe.
 *
 * <p>The cost grows with the number of nodes, and of ranges of unhealthy nodes. Merging, where it
 * is enabled, examines all ranges.
 */
public final class Planner {
    private Planner() {}

    /** Returns a plan without anything kept from a previous round. */
    public static Plan plan(ClusterView view, Policy policy) {
        Census census = Census.of(view, policy.replicas(), new OddRanges());
        return plan(view, policy, census, LeadershipAsked.NONE, UnsplittableRanges.NONE);
    }

    /**
     * Plans.
     *
     * @param census of this view, with the replicas of the policy
     * @param asked leadership transfers that may be in progress
     * @param unsplittable ranges that could not be split lately
     */
    public static Plan plan(
            ClusterView view,
            Policy policy,
            Census census,
            LeadershipAsked asked,
            UnsplittableRanges unsplittable) {
        Ledger ledger = new Ledger(view, policy);
        Targets targets = new Targets(view, policy, ledger);
        List<RepairNeed> needs = new ArrayList<>();
        for (RangeDescriptor range : census.restless()) {
            if (view.map().isConfirmed(range.rangeId()) && !ledger.isChanging(range.rangeId())) {
                RepairNeed.of(view, policy, targets.zones(), range).ifPresent(needs::add);
            }
        }
        needs.sort(RepairNeed.MOST_ENDANGERED_FIRST);
        List<Decision> decisions =
                new ArrayList<>(new MovePlanner(view, policy, ledger, targets).decide(needs));
        List<Decision.TransferLead> going =
                asked.underWay(view).stream()
                        .filter(each -> !ledger.isChanging(each.rangeId()))
                        .toList();
        LeaderLoads loads = new LeaderLoads(view, policy);
        going.forEach(loads::shift);
        decisions.addAll(new SplitPlanner(view, policy, ledger, loads, unsplittable).decide());
        decisions.addAll(
                new BalancePlanner(view, policy, ledger, targets)
                        .decide(needs.stream().anyMatch(RepairNeed::isPressing)));
        decisions.addAll(
                new LeadershipPlanner(view, policy, ledger, loads, targets.open()).decide(going));
        decisions.addAll(
                new MergePlanner(view, policy, ledger)
                        .decide(decisions, needs.stream().anyMatch(need -> !need.isForRoom())));
        return new Plan(decisions);
    }
}

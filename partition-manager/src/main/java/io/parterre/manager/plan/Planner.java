package io.parterre.manager.plan;

import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides what is to be done about the cluster: first about ranges in danger, most endangered
 * first, then about nodes that drain, zones, ranges to be split, balance, and ranges to be merged.
 * One thing at a time is done to a range, and what is under way counts. No decision leaves a range
 * without a majority of healthy members, and a cluster that is as it should be is left alone.
 * Stateless; safe for any thread.
 *
 * <p>Time grows with the number of ranges: some tenths of a second for 100,000 of them.
 */
public final class Planner {
    private Planner() {}

    public static Plan plan(ClusterView view, Policy policy) {
        Ledger ledger = new Ledger(view, policy);
        Targets targets = new Targets(view, ledger);
        List<Need> needs = new ArrayList<>();
        Survey survey = view.survey(policy.replicas());
        Leads leads = new Leads(view, survey);
        for (RangeDescriptor range : survey.restless()) {
            if (view.map().isConfirmed(range.rangeId()) && !ledger.isChanging(range.rangeId())) {
                Need.of(view, policy, targets.zones(), range).ifPresent(needs::add);
            }
        }
        needs.sort(Need.MOST_ENDANGERED_FIRST);
        List<Decision> decisions = new ArrayList<>();
        MovePlanner moves = new MovePlanner(view, policy, ledger, targets);
        for (Need need : needs) {
            decisions.add(moves.decide(need));
        }
        LeadLoads loads = new LeadLoads(view, policy);
        decisions.addAll(new SplitPlanner(view, policy, ledger, loads).decide());
        decisions.addAll(
                new BalancePlanner(view, policy, ledger, targets.open())
                        .decide(needs.stream().anyMatch(Need::isPressing)));
        decisions.addAll(
                new LeadPlanner(view, policy, ledger, loads, leads, targets.open()).decide());
        decisions.addAll(
                new MergePlanner(view, policy, ledger).decide(decisions, !needs.isEmpty()));
        return new Plan(decisions);
    }
}

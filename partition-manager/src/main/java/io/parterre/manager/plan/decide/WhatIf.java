package io.parterre.manager.plan.decide;

import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * What the planner would decide under another policy, or without some nodes: the planner itself
 * runs on a {@link PlannedView} of the cluster, in which each decision takes effect at once.
 * Stateless and thread-safe. Takes as long as this many rounds of the planner.
 */
public final class WhatIf {
    private WhatIf() {}

    /**
     * The decisions of one round.
     *
     * @param decisions without those that were left for the same cause in an earlier round
     */
    public record Round(List<Decision> decisions) {
        public Round {
            decisions = List.copyOf(decisions);
        }
    }

    /**
     * The decisions, round by round.
     *
     * @param end why there are no more rounds, a sentence for people
     */
    public record Outcome(List<Round> rounds, String end) {
        public Outcome {
            rounds = List.copyOf(rounds);
        }
    }

    /** What was left and its cause, regardless of figures. */
    private record Left(Optional<RangeId> about, Decision.Cause cause) {}

    /**
     * Runs the simulation.
     *
     * @param view must not change meanwhile
     * @param policy to be tried
     * @param down nodes of the map that are taken for dead
     * @param goOn asked before each round; false ends the simulation
     */
    public static Outcome play(
            ClusterView view,
            Policy policy,
            Set<NodeId> down,
            int roundsMax,
            BooleanSupplier goOn) {
        PlannedView sketch = new PlannedView(view.under(policy));
        down.forEach(sketch::loses);
        sketch.finishes();
        List<Round> rounds = new ArrayList<>();
        Set<Left> told = new HashSet<>();
        while (rounds.size() < roundsMax) {
            if (!goOn.getAsBoolean()) {
                return new Outcome(rounds, "there was no time for more");
            }
            Plan plan = Planner.plan(sketch.view(), policy);
            rounds.add(new Round(news(plan, told)));
            if (plan.isQuiet()) {
                return new Outcome(rounds, "nothing more would be done");
            }
            if (!sketch.carriesOut(plan)) {
                return new Outcome(rounds, "what comes then depends on what nodes report");
            }
        }
        return new Outcome(rounds, "more may follow");
    }

    private static List<Decision> news(Plan plan, Set<Left> told) {
        return plan.decisions().stream()
                .filter(
                        decision ->
                                !(decision instanceof Decision.Leave left)
                                        || told.add(new Left(left.about(), left.cause())))
                .toList();
    }
}

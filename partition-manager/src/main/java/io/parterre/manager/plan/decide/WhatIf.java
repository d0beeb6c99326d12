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
 * What the planner would decide under another policy, or without some nodes: the planner itself, on
 * a {@link PlannedView} of the cluster in which all that it decides is done at once. Stateless;
 * safe for any thread. Takes as long as so many rounds of the planner.
 */
public final class WhatIf {
    private WhatIf() {}

    /**
     * What is decided in one round.
     *
     * @param decisions without what was left for the same cause in a round before
     */
    public record Round(List<Decision> decisions) {
        public Round {
            decisions = List.copyOf(decisions);
        }
    }

    /**
     * What would be decided, round by round.
     *
     * @param end why there are no more rounds, a sentence for people
     */
    public record Outcome(List<Round> rounds, String end) {
        public Outcome {
            rounds = List.copyOf(rounds);
        }
    }

    /** What was left and why, whatever the numbers. */
    private record Left(Optional<RangeId> about, Decision.Cause cause) {}

    /**
     * Plays it through.
     *
     * @param view as it is; must not change meanwhile
     * @param policy to be tried
     * @param down nodes of the map that are dead
     * @param goOn asked before each round; there are no more once it says no
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

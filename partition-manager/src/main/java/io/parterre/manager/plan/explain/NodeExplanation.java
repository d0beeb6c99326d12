package io.parterre.manager.plan.explain;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.Move;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Explains the state of a node in sentences. Stateless and thread-safe. */
public final class NodeExplanation {
    /** Upper bound of sentences about its ranges. */
    private static final int RANGES_MAX = 20;

    private NodeExplanation() {}

    /**
     * Explains.
     *
     * @param plan the latest plan
     */
    public static List<String> of(ClusterView view, Plan plan, ClusterNode node) {
        NodeId nodeId = node.nodeId();
        List<String> reasons = new ArrayList<>();
        reasons.add(
                "it is "
                        + view.liveness(nodeId)
                        + ", silent for "
                        + Math.max(
                                0,
                                Duration.between(view.silentSince(nodeId), view.now()).toSeconds())
                        + " s, and "
                        + node.state());
        Collection<RangeId> ranges = view.map().ranges().onNode(nodeId);
        reasons.add("it holds " + ranges.size() + " replicas and leads " + view.leads(nodeId));
        reasons.add(
                view.takesMore(nodeId)
                        ? "it takes more"
                        : "nothing new is given to it" + why(view, node));
        if (ranges.size() >= view.policy().replicasPerNodeMax()) {
            reasons.add(
                    "it gets no more replicas, the limit is " + view.policy().replicasPerNodeMax());
        }
        for (Move move : view.map().moves()) {
            if (move.concerns(nodeId)) {
                reasons.add(
                        "a move of range "
                                + move.rangeId()
                                + " is under way because of "
                                + move.reason()
                                + ", "
                                + Explanation.waitsFor(view, move));
            }
        }
        plan.decisions().stream()
                .filter(decision -> concerns(decision, nodeId, ranges))
                .limit(RANGES_MAX)
                .forEach(decision -> reasons.add(sentence(decision)));
        plan.left().stream()
                .filter(left -> left.about().isEmpty())
                .forEach(left -> reasons.add("of the cluster: " + left.why()));
        return reasons;
    }

    private static String why(ClusterView view, ClusterNode node) {
        if (view.damage(node.nodeId()).isPresent()) {
            return ": it cannot use its store";
        }
        if (view.ailment(node.nodeId()).isPresent()) {
            return ": " + view.whyAiling(node.nodeId());
        }
        if (view.isDiskFull(node.nodeId())) {
            return ": it has "
                    + view.diskUse(node.nodeId())
                    + ", the limit is "
                    + view.policy().disk().highPercent()
                    + " %";
        }
        if (view.permitHolder().filter(node.nodeId()::equals).isPresent()) {
            return ": it holds the disruption permit";
        }
        return "";
    }

    private static boolean concerns(Decision decision, NodeId nodeId, Collection<RangeId> ranges) {
        return JournalNotes.of(decision, Instant.EPOCH).isAbout(nodeId)
                || decision instanceof Decision.Leave left
                        && left.about().filter(ranges::contains).isPresent();
    }

    private static String sentence(Decision decision) {
        return "range "
                + decision.about().map(RangeId::toString).orElse("-")
                + (decision instanceof Decision.Leave left
                        ? " is left alone, " + left.cause() + ": "
                        : ", decided: ")
                + decision.why();
    }
}

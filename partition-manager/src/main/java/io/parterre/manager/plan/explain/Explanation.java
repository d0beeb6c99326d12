package io.parterre.manager.plan.explain;

import io.parterre.manager.map.Merge;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.Recovery;
import io.parterre.manager.map.Split;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.decide.MergeCandidate;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.progress.MergeProgress;
import io.parterre.manager.plan.progress.MoveProgress;
import io.parterre.manager.plan.progress.SplitProgress;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.manager.plan.view.Regressions;
import io.parterre.manager.reason.ByteCount;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Explains the state of a range in sentences. Stateless and thread-safe. */
public final class Explanation {
    private Explanation() {}

    /**
     * Explains.
     *
     * @param plan the latest plan
     */
    public static List<String> of(ClusterView view, Plan plan, RangeDescriptor range) {
        List<String> reasons = new ArrayList<>();
        int members = range.members().size();
        reasons.add(
                view.healthy(range)
                        + " of "
                        + members
                        + " members are healthy, "
                        + view.policy().replicas()
                        + " are wanted");
        load(view, range).ifPresent(reasons::add);
        for (NodeId member : range.members()) {
            Health health = view.health(range.rangeId(), member);
            if (health != Health.HEALTHY) {
                reasons.add(
                        "member "
                                + member
                                + " is "
                                + health
                                + (health == Health.SILENT ? ": " + silence(view, member) : ""));
            }
            if (view.ailment(member).isPresent()) {
                reasons.add(
                        "the node of member "
                                + member
                                + " may lead no range: "
                                + view.whyAiling(member));
            }
            if (view.isDiskFull(member)) {
                reasons.add("the node of member " + member + " has " + view.diskUse(member));
            }
            Regressions.differsAt(view, member, range.rangeId())
                    .ifPresent(
                            index ->
                                    reasons.add(
                                            "the rows of member "
                                                    + member
                                                    + " at entry "
                                                    + index
                                                    + " were others than those of most members: it"
                                                    + " is quarantined and rebuilt once the others"
                                                    + " are a healthy majority"));
            view.damage(member, range.rangeId())
                    .ifPresent(
                            what ->
                                    reasons.add(
                                            "what member "
                                                    + member
                                                    + " holds is damaged: "
                                                    + what));
        }
        view.leader(range.rangeId())
                .flatMap(leader -> view.replica(leader, range.rangeId()))
                .map(leader -> leader.rows().undecidedAt())
                .ifPresent(
                        at ->
                                at.ifPresent(
                                        index ->
                                                reasons.add(
                                                        "members held different rows at entry "
                                                                + index
                                                                + ", and no majority the same:"
                                                                + " nobody is quarantined")));
        if (view.leader(range.rangeId()).isEmpty()) {
            reasons.add(
                    "no member claims its leadership"
                            + view.lastLeader(range.rangeId())
                                    .map(last -> ", the last to do so was " + last)
                                    .orElse(""));
        }
        boolean founding = !view.map().isConfirmed(range.rangeId());
        if (founding) {
            reasons.add("not all members have reported it yet: it is being founded");
        }
        Optional<Move> move = view.map().move(range.rangeId());
        move.ifPresent(
                under ->
                        reasons.add(
                                "a move is under way because of "
                                        + under.reason()
                                        + ", "
                                        + waitsFor(view, under)));
        Optional<Split> split = view.map().split(range.rangeId());
        split.ifPresent(
                under ->
                        reasons.add(
                                "it is being split because of "
                                        + under.reason()
                                        + ", "
                                        + waitsFor(view, under)));
        Optional<Merge> merge = view.map().merge(range.rangeId());
        merge.ifPresent(
                under ->
                        reasons.add(
                                "it is being merged with range "
                                        + (under.leftId().equals(range.rangeId())
                                                ? under.rightId()
                                                : under.leftId())
                                        + " because of "
                                        + under.reason()
                                        + ", "
                                        + waitsFor(view, under)));
        Optional<Recovery> recovery = view.map().recovery(range.rangeId());
        recovery.ifPresent(
                under ->
                        reasons.add(
                                "it goes on in the place of range "
                                        + under.lostId()
                                        + ", node "
                                        + under.survivor()
                                        + " has to begin it with what it holds"));
        List<Decision> decisions =
                plan.decisions().stream()
                        .filter(decision -> decision.concerns(range.rangeId()))
                        .toList();
        decisions.forEach(decision -> reasons.add(sentence(decision)));
        boolean changing = view.map().isChanging(range.rangeId());
        if (!changing && decisions.isEmpty() && !founding) {
            reasons.add("nothing is to be done about it");
            plan.left().stream()
                    .filter(left -> left.about().isEmpty())
                    .forEach(left -> reasons.add("of the cluster: " + left.why()));
        }
        if (!changing && view.policy().merge().enabled()) {
            view.map().ranges().leftOf(range).ifPresent(left -> apart(view, left, range, reasons));
            view.map()
                    .ranges()
                    .rightOf(range)
                    .ifPresent(right -> apart(view, range, right, reasons));
        }
        return reasons;
    }

    /** Returns the range's size and load; empty if no leader has reported them. */
    private static Optional<String> load(ClusterView view, RangeDescriptor range) {
        return view.leading(range.rangeId())
                .flatMap(NodeReport.Replica::load)
                .map(
                        load ->
                                String.format(
                                        Locale.ROOT,
                                        "it holds %s; %.0f reads and %.0f writes a second are asked of"
                                                + " it, %.0f more refused, %s; they take %.2f of a"
                                                + " core",
                                        new ByteCount(view.sizeBytes(range)),
                                        load.readsPerSecond(),
                                        load.writesPerSecond(),
                                        load.refusedPerSecond(),
                                        where(load.shape()),
                                        load.cpuPermille() / 1_000.0));
    }

    private static String where(RangeLoad.Shape shape) {
        return switch (shape) {
            case UNKNOWN -> "too few were seen to tell where";
            case SPREAD -> "spread over its keys";
            case ONE_PARTITION -> "most of them of one partition";
            case MOVING_TAIL -> "on ever later keys";
        };
    }

    /** Returns why a member counts as silent, and what follows. */
    private static String silence(ClusterView view, NodeId member) {
        if (view.isDiskStalled(member)) {
            return "the disk of its node does not answer";
        }
        if (view.liveness(member) == Liveness.UP) {
            return "its node tells of no replica, it may be about to start";
        }
        long seconds = Duration.between(view.silentSince(member), view.now()).toSeconds();
        return "nothing was heard of its node for "
                + seconds
                + " s, "
                + (view.permitHolder().filter(member::equals).isPresent()
                        ? "which holds the disruption permit"
                        : "after "
                                + view.policy().deadAfter().toSeconds()
                                + " s its replica is rebuilt elsewhere");
    }

    /** Adds why two neighbours are not merged. */
    private static void apart(
            ClusterView view, RangeDescriptor left, RangeDescriptor right, List<String> reasons) {
        Optional<MergeCandidate.Side> one = side(view, left);
        Optional<MergeCandidate.Side> other = side(view, right);
        Optional<String> why =
                one.isEmpty() || other.isEmpty()
                        ? Optional.of("what is asked of them is not known")
                        : new MergeCandidate(one.get(), other.get())
                                .whyNot(view, view.policy())
                                .map(each -> each.reason().get().toString());
        why.ifPresent(
                sentence ->
                        reasons.add(
                                "ranges "
                                        + left.rangeId()
                                        + " and "
                                        + right.rangeId()
                                        + " stay two: "
                                        + sentence));
    }

    private static Optional<MergeCandidate.Side> side(ClusterView view, RangeDescriptor range) {
        return view.leading(range.rangeId())
                .flatMap(leading -> MergeCandidate.Side.of(range, leading));
    }

    private static String sentence(Decision decision) {
        return decision instanceof Decision.Leave left
                ? "left alone, " + left.cause() + ": " + left.why()
                : "decided: " + decision.why();
    }

    /** Returns what a move waits for. */
    public static String waitsFor(ClusterView view, Move move) {
        MoveProgress progress = MoveProgress.of(view, move);
        if (progress instanceof MoveProgress.Pointless pointless) {
            return "given up: " + pointless.why();
        }
        if (!(progress instanceof MoveProgress.Going going)) {
            return "done";
        }
        return switch (going.step()) {
            case ABANDON -> "being given up, the leader has to agree";
            case DISCARD -> "node " + node(move.add()) + " has to put its damaged replica aside";
            case JOIN -> "node " + node(move.add()) + " has to make a replica";
            case ADD -> "node " + node(move.add()) + " gets the data and joins";
            case CATCH_UP -> "node " + node(move.add()) + " has joined and catches up";
            case TRANSFER_LEAD -> "node " + node(move.remove()) + " leads, another has to";
            case REMOVE -> "node " + node(move.remove()) + " has to leave";
            case MAJORITY -> "too few members are healthy for the next step";
        };
    }

    /** Returns what a split waits for. */
    public static String waitsFor(ClusterView view, Split split) {
        SplitProgress progress = SplitProgress.of(view, split);
        if (progress instanceof SplitProgress.Abandoned abandoned) {
            return "being given up, the leader has to agree: " + abandoned.why();
        }
        if (progress instanceof SplitProgress.Impossible hopeless) {
            return "to be given up: " + hopeless.why();
        }
        return progress instanceof SplitProgress.Over
                ? "given up"
                : "its leader has to split off range " + rest(split);
    }

    private static String rest(Split split) {
        int more = split.childIds().size() - 1;
        return split.childId() + (more == 0 ? "" : " and up to " + more + " more");
    }

    /** Returns what a merge waits for. */
    public static String waitsFor(ClusterView view, Merge merge) {
        MergeProgress progress = MergeProgress.of(view, merge);
        if (progress instanceof MergeProgress.Abandoned abandoned) {
            return "being given up, the leader of range "
                    + merge.leftId()
                    + " has to agree: "
                    + abandoned.why();
        }
        if (progress instanceof MergeProgress.Impossible hopeless) {
            return "to be given up: " + hopeless.why();
        }
        if (progress instanceof MergeProgress.Undoing) {
            return "given up, range " + merge.rightId() + " has to take requests again";
        }
        if (!(progress instanceof MergeProgress.Going going)) {
            return "given up";
        }
        return switch (going.step()) {
            case MEMBERS -> "range " + merge.rightId() + " gets the other one's members";
            case LEADERS -> "one of them has no leader now";
            case LEAD -> "the other one's leader has to lead range " + merge.rightId();
            case LEVEL -> "not all members are level with the leader";
            case JOIN -> "the leader of both has to join them";
            case WORD -> "the leader of range " + merge.leftId() + " has to tell what it came to";
        };
    }

    private static String node(Optional<NodeId> node) {
        return node.map(NodeId::value).orElse("-");
    }
}

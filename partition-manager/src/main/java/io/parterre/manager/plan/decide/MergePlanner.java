package io.parterre.manager.plan.decide;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.progress.MergeProgress;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.plan.view.LoadPeak;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.ByteCount;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which neighbours are merged: pairs that together have been quiet for long, empty ranges
 * first. Merges come last and wait for everything else, because two ranges instead of one cost
 * little. Also moves replicas for merges in progress. For one round.
 */
final class MergePlanner {
    /**
     * Upper bound of the pairs that are reported as not merged. {@code Explanation} gives the
     * reason for any other pair.
     */
    private static final int LEFT_MAX = 100;

    private final ClusterView view;
    private final Policy policy;
    private final Ledger ledger;
    private final List<Decision> decisions = new ArrayList<>();
    private int left;

    MergePlanner(ClusterView view, Policy policy, Ledger ledger) {
        this.view = view;
        this.policy = policy;
        this.ledger = ledger;
    }

    /**
     * Decides.
     *
     * @param before the decisions of this round so far
     * @param pressing whether ranges need something, which comes first
     */
    List<Decision> decide(Collection<Decision> before, boolean pressing) {
        for (Merge merge : view.map().merges()) {
            if (MergeProgress.of(view, merge) instanceof MergeProgress.Going going
                    && going.step() == MergeProgress.Step.MEMBERS
                    && view.map().move(merge.rightId()).isEmpty()) {
                align(merge);
            }
        }
        if (!policy.merge().enabled()) {
            return decisions;
        }
        Optional<Reason> unrest =
                pressing ? Optional.of(ReasonCode.OTHER_NEEDS.of()) : unrest(view);
        if (unrest.isPresent()) {
            leave(
                    Optional.empty(),
                    Decision.Cause.NOT_SETTLED,
                    ReasonCode.MERGING_WAITS.of(unrest.get()));
            return decisions;
        }
        begin(candidates(before));
        return decisions;
    }

    /** Returns why no range at all may be merged now; empty if all nodes are well. */
    static Optional<Reason> unrest(ClusterView view) {
        for (ClusterNode node : view.map().nodes()) {
            NodeId nodeId = node.nodeId();
            if (node.state() == NodeState.REMOVED) {
                continue;
            }
            if (view.liveness(nodeId) != Liveness.UP
                    || view.damage(nodeId).isPresent()
                    || view.ailment(nodeId).isPresent()) {
                return Optional.of(ReasonCode.NODE_IS_NOT_WELL.of(nodeId));
            }
        }
        return view.permitHolder().map(ReasonCode.NODE_MAY_BE_DOWN::of);
    }

    /** Decides the next move that gives the right range the left one's members. */
    private void align(Merge merge) {
        RangeDescriptor one = view.map().ranges().find(merge.leftId()).orElseThrow();
        RangeDescriptor other = view.map().ranges().find(merge.rightId()).orElseThrow();
        Optional<NodeId> add = MergeCandidate.without(one, other).stream().findFirst();
        Optional<NodeId> remove =
                MergeCandidate.without(other, one).stream()
                        .min(
                                Comparator.comparing(
                                        node ->
                                                view.lastLeader(other.rangeId())
                                                        .filter(node::equals)
                                                        .isPresent()));
        boolean room =
                ledger.moves() < policy.voluntaryMovesMax()
                        && add.filter(node -> !ledger.hasRoom(node)).isEmpty()
                        && remove.filter(node -> !ledger.hasRoom(node)).isEmpty();
        if (!room) {
            leave(
                    Optional.of(other.rangeId()),
                    Decision.Cause.TOO_MANY_MOVES,
                    ReasonCode.ABSORBED_BUT_BUSY.of(one.rangeId()));
            return;
        }
        if (add.filter(node -> !canTake(other.rangeId(), node)).isPresent()) {
            leave(
                    Optional.of(other.rangeId()),
                    Decision.Cause.NO_NODE,
                    ReasonCode.ABSORBED_BUT_NO_NODE.of(one.rangeId(), add.get()));
            return;
        }
        Decision.ChangeMembers change =
                new Decision.ChangeMembers(
                        other.rangeId(),
                        other.generation(),
                        add,
                        remove,
                        MoveReason.MERGE,
                        ReasonCode.ABSORBED_WITH_SAME_MEMBERS.of(one.rangeId()));
        ledger.begin(change);
        decisions.add(change);
    }

    /** Returns whether the node may get a replica. An old replica has to be removed first. */
    private boolean canTake(RangeId rangeId, NodeId node) {
        return view.takesMore(node)
                && !ledger.isFull(node)
                && view.replica(node, rangeId).isEmpty();
    }

    private List<MergeCandidate> candidates(Collection<Decision> before) {
        Map<RangeId, NodeReport.Replica> quiet = quiet();
        Set<RangeId> taken = new HashSet<>();
        for (Decision decision : before) {
            if (decision instanceof Decision.TransferLead transfer) {
                taken.add(transfer.rangeId());
            }
        }
        List<MergeCandidate> candidates = new ArrayList<>();
        Optional<MergeCandidate.Side> previous = Optional.empty();
        for (RangeDescriptor range : view.map().ranges().inKeyOrder()) {
            RangeId rangeId = range.rangeId();
            Optional<MergeCandidate.Side> side =
                    ledger.isChanging(rangeId) || taken.contains(rangeId)
                            ? Optional.empty()
                            : Optional.ofNullable(quiet.get(rangeId))
                                    .flatMap(leading -> MergeCandidate.Side.of(range, leading));
            if (previous.isPresent() && side.isPresent()) {
                MergeCandidate pair = new MergeCandidate(previous.get(), side.get());
                if (pair.whyNot(view, policy).isEmpty()) {
                    candidates.add(pair);
                }
            }
            previous = side;
        }
        candidates.sort(
                Comparator.comparing(MergeCandidate::reason, Comparator.reverseOrder())
                        .thenComparing(pair -> pair.toJoin().size())
                        .thenComparing(this::peak)
                        .thenComparing(pair -> pair.left().range().rangeId()));
        return candidates;
    }

    private double peak(MergeCandidate pair) {
        return policy.split().weigh(pair.peak(view).orElseThrow());
    }

    /**
     * Returns the ranges that are quiet by themselves, found without an examination of each range.
     */
    private Map<RangeId, NodeReport.Replica> quiet() {
        double limit = policy.split().quietMax();
        Map<RangeId, NodeReport.Replica> quiet = new HashMap<>();
        view.forEachLeading(
                (node, replica) -> {
                    if (replica.load()
                            .filter(load -> policy.split().weigh(load.wanted()) <= limit)
                            .isPresent()) {
                        quiet.put(replica.rangeId(), replica);
                    }
                });
        return quiet;
    }

    private void begin(List<MergeCandidate> candidates) {
        for (MergeCandidate pair : candidates) {
            RangeDescriptor one = pair.left().range();
            RangeDescriptor other = pair.right().range();
            if (ledger.isChanging(one.rangeId()) || ledger.isChanging(other.rangeId())) {
                continue;
            }
            Reason why = why(pair);
            if (!ledger.hasRoomToMerge(one, other)) {
                leave(
                        Optional.of(one.rangeId()),
                        Decision.Cause.TOO_MANY_MOVES,
                        ReasonCode.OTHERS_ARE_MERGED.of(why));
                continue;
            }
            Optional<NodeId> unable =
                    pair.toJoin().stream()
                            .filter(node -> !canTake(other.rangeId(), node))
                            .findFirst();
            if (unable.isPresent()) {
                leave(
                        Optional.of(one.rangeId()),
                        Decision.Cause.NO_NODE,
                        ReasonCode.WOULD_TAKE_REPLICA.of(why, unable.get()));
                continue;
            }
            ledger.beginMerge(one, other);
            decisions.add(
                    new Decision.Merge(
                            one.rangeId(),
                            one.generation(),
                            other.rangeId(),
                            other.generation(),
                            pair.reason(),
                            why));
        }
    }

    private Reason why(MergeCandidate pair) {
        return (pair.reason() == MergeReason.EMPTY ? ReasonCode.ONE_IS_EMPTY : ReasonCode.ARE_QUIET)
                .of(
                        pair.right().range().rangeId(),
                        peak(pair),
                        LoadPeak.WINDOW.toMinutes(),
                        new ByteCount(pair.sizeBytes()));
    }

    private void leave(Optional<RangeId> about, Decision.Cause cause, Reason why) {
        if (left < LEFT_MAX) {
            left++;
            decisions.add(new Decision.Leave(about, cause, why));
        }
    }
}

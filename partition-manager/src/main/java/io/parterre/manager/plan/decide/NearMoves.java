package io.parterre.manager.plan.decide;

import io.parterre.manager.plan.view.ClusterView;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Balance moves that keep a range's members a copyset, or make them one. Searched from the
 * receiving node, because only ranges of nodes near it are eligible. For one round.
 */
final class NearMoves {
    /** Upper bound of ranges examined in one round. */
    private static final int LOOKS_MAX = 25_000;

    /** Outweighs any number of replicas. */
    private static final int MENDS = 1 << 30;

    /** A range, and the member that hands its replica over. */
    record Found(RangeDescriptor range, NodeId from) {}

    private final ClusterView view;
    private final Ledger ledger;
    private final Targets targets;
    private final MovableRanges movable;
    private final Set<NodeId> inVain = new HashSet<>();
    private int looks;

    NearMoves(ClusterView view, Ledger ledger, Targets targets, MovableRanges movable) {
        this.view = view;
        this.ledger = ledger;
        this.targets = targets;
        this.movable = movable;
    }

    /**
     * Returns the best move to the node; empty if none is found. Best is a move that makes the
     * members a copyset, because a new node stands between those of some sets. Then one from the
     * node with most replicas, then one of a range that the giving node does not lead.
     *
     * @param to node that has room for it
     * @param tolerated a node gives only if it holds more than this many replicas more
     */
    Optional<Found> to(NodeId to, int tolerated) {
        Found best = null;
        int bestWorth = 0;
        if (inVain.contains(to)) {
            return Optional.empty();
        }
        for (NodeId near : targets.copysets().near(to)) {
            for (RangeId rangeId : view.map().ranges().onNode(near)) {
                if (++looks > LOOKS_MAX) {
                    return Optional.ofNullable(best);
                }
                RangeDescriptor range = view.map().ranges().find(rangeId).orElseThrow();
                for (NodeId from : givers(range, to)) {
                    int worth = worth(range, from);
                    if (worth > bestWorth
                            && ledger.replicas(from) - ledger.replicas(to) > tolerated
                            && isMove(range, from, to)) {
                        best = new Found(range, from);
                        bestWorth = worth;
                    }
                }
            }
        }
        if (best == null) {
            inVain.add(to);
        }
        return Optional.ofNullable(best);
    }

    /** Returns whether the bound of examined ranges is reached, so that moves may be missed. */
    boolean isOver() {
        return looks > LOOKS_MAX;
    }

    /** Returns the members without which all others are near the node. */
    private List<NodeId> givers(RangeDescriptor range, NodeId to) {
        Set<NodeId> near = targets.copysets().near(to);
        List<NodeId> strangers = new ArrayList<>();
        for (NodeId member : range.members()) {
            if (!near.contains(member)) {
                strangers.add(member);
            }
        }
        if (strangers.isEmpty()) {
            return range.members();
        }
        return strangers.size() == 1 ? strangers : List.of();
    }

    private boolean isMove(RangeDescriptor range, NodeId from, NodeId to) {
        if (!view.takesMore(from) || !ledger.hasRoom(from)) {
            return false;
        }
        List<NodeId> staying = new ArrayList<>(range.members());
        staying.remove(from);
        return targets.copysets().isCopyset(staying) && movable.mayMove(range, from, to);
    }

    private int worth(RangeDescriptor range, NodeId from) {
        boolean mends = !targets.copysets().isCopyset(range.members());
        boolean led = view.lastLeader(range.rangeId()).filter(from::equals).isPresent();
        return (mends ? MENDS : 0) + 2 * ledger.replicas(from) + (led ? 1 : 2);
    }
}

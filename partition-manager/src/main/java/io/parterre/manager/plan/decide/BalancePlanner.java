package io.parterre.manager.plan.decide;

import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Balances the number of replicas on nodes. Each move reduces a difference between two nodes that
 * exceeds the dead band and spreads zones no worse, so balancing ends and the result is stable. A
 * move that takes a range out of its copyset is made only for a difference of more than twice the
 * band. For one round.
 */
final class BalancePlanner {
    /**
     * Upper bound of ranges examined in one round. The next round may find what this one missed.
     */
    private static final int LOOKS_MAX = 50_000;

    /** In multiples of the band. */
    private static final int FAR = 8;

    private final ClusterView view;
    private final Policy policy;
    private final Ledger ledger;
    private final Targets targets;
    private final List<NodeId> open;
    private final MovableRanges movable;
    private final NearMoves nearMoves;
    private int looks;

    BalancePlanner(ClusterView view, Policy policy, Ledger ledger, Targets targets) {
        this.view = view;
        this.policy = policy;
        this.ledger = ledger;
        this.targets = targets;
        this.open = targets.open();
        this.movable = new MovableRanges(view, policy, ledger);
        this.nearMoves = new NearMoves(view, ledger, targets, movable);
    }

    /**
     * Decides.
     *
     * @param pressing whether ranges are in danger, which come first
     */
    List<Decision> decide(boolean pressing) {
        if (open.size() < 2) {
            return List.of();
        }
        if (pressing || view.map().moves().stream().anyMatch(BalancePlanner::isPressing)) {
            return List.of(leave(Decision.Cause.NOT_SETTLED, ReasonCode.BALANCE_WAITS.of()));
        }
        List<Decision> decisions = new ArrayList<>();
        while (ledger.moves() < policy.voluntaryMovesMax()) {
            Optional<Decision.ChangeMembers> next = next(decisions.isEmpty());
            if (next.isEmpty()) {
                break;
            }
            ledger.begin(next.get());
            decisions.add(next.get());
        }
        if (decisions.isEmpty()) {
            decisions.add(whyNot());
        }
        return decisions;
    }

    private static boolean isPressing(Move move) {
        return move.reason() == MoveReason.REPAIR || move.reason() == MoveReason.UNDER_REPLICATED;
    }

    private int tolerated() {
        int sum = 0;
        for (NodeId node : open) {
            sum += ledger.replicas(node);
        }
        return policy.tolerated(sum / open.size());
    }

    private Decision whyNot() {
        int most = open.stream().mapToInt(ledger::replicas).max().orElseThrow();
        int fewest = open.stream().mapToInt(ledger::replicas).min().orElseThrow();
        if (most - fewest <= tolerated()) {
            return leave(Decision.Cause.BALANCED, ReasonCode.IS_EVEN_ENOUGH.of(fewest, most));
        }
        if (ledger.moves() >= policy.voluntaryMovesMax()) {
            return leave(
                    Decision.Cause.TOO_MANY_MOVES, ReasonCode.MOVES_UNDER_WAY.of(ledger.moves()));
        }
        boolean forCopysets = most - fewest <= 2 * tolerated() && targets.copysets().areInUse();
        return leave(
                Decision.Cause.NO_BETTER_PLACE,
                (forCopysets
                                ? ReasonCode.NO_MOVE_LEAVES_COPYSET
                                : ReasonCode.NO_MOVE_SPREADS_BETTER)
                        .of(fewest, most));
    }

    private Optional<Decision.ChangeMembers> next(boolean first) {
        int tolerated = tolerated();
        List<NodeId> byLoad = new ArrayList<>(open);
        byLoad.sort(
                Comparator.comparing(ledger::replicas).thenComparing(Comparator.naturalOrder()));
        int difference =
                ledger.replicas(byLoad.get(byLoad.size() - 1)) - ledger.replicas(byLoad.get(0));
        if (difference <= tolerated) {
            return Optional.empty();
        }
        if (!targets.copysets().areInUse()) {
            return any(byLoad, tolerated);
        }
        Optional<Decision.ChangeMembers> near = near(byLoad, tolerated);
        if (near.isPresent()) {
            return near;
        }
        // Moves that there was no time to look for may be found in the next round. Only a node far
        // from balance, as in a cluster that has grown to a multiple of its size, does not wait for
        // them.
        boolean waits = nearMoves.isOver() && !first;
        return any(byLoad, (waits ? FAR : 2) * tolerated);
    }

    /** Returns a move after which the range's members are a copyset. */
    private Optional<Decision.ChangeMembers> near(List<NodeId> byLoad, int tolerated) {
        int most = ledger.replicas(byLoad.get(byLoad.size() - 1));
        for (NodeId to : byLoad) {
            if (most - ledger.replicas(to) <= tolerated) {
                break;
            }
            if (!ledger.hasRoom(to) || ledger.isFull(to)) {
                continue;
            }
            Optional<NearMoves.Found> found = nearMoves.to(to, tolerated);
            if (found.isPresent()) {
                return found.map(each -> change(each.range(), each.from(), to));
            }
        }
        return Optional.empty();
    }

    private Optional<Decision.ChangeMembers> any(List<NodeId> byLoad, int tolerated) {
        for (int high = byLoad.size() - 1; high > 0; high--) {
            NodeId from = byLoad.get(high);
            if (!ledger.hasRoom(from)) {
                continue;
            }
            for (NodeId to : byLoad) {
                if (ledger.replicas(from) - ledger.replicas(to) <= tolerated) {
                    break;
                }
                if (!ledger.hasRoom(to) || ledger.isFull(to)) {
                    continue;
                }
                Optional<Decision.ChangeMembers> found = between(from, to);
                if (found.isPresent() || looks >= LOOKS_MAX) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns a move of the range with the least harm; among equals, rather a range that the node
     * does not lead.
     */
    private Optional<Decision.ChangeMembers> between(NodeId from, NodeId to) {
        RangeDescriptor best = null;
        int bestHarm = Integer.MAX_VALUE;
        int leastHarm = targets.copysets().areInUse() ? 2 * (1 - policy.replicas()) : 0;
        for (RangeId rangeId : view.map().ranges().onNode(from)) {
            if (++looks >= LOOKS_MAX || bestHarm == leastHarm) {
                break;
            }
            RangeDescriptor range = view.map().ranges().find(rangeId).orElseThrow();
            if (movable.mayMove(range, from, to)) {
                int harm = harm(range, from, to);
                if (harm < bestHarm) {
                    best = range;
                    bestHarm = harm;
                }
            }
        }
        return Optional.ofNullable(best).map(range -> change(range, from, to));
    }

    /**
     * Returns twice the number of members that become strangers to each other, plus one if
     * leadership moves.
     */
    private int harm(RangeDescriptor range, NodeId from, NodeId to) {
        Copysets copysets = targets.copysets();
        List<NodeId> staying = new ArrayList<>(range.members());
        staying.remove(from);
        boolean led = view.lastLeader(range.rangeId()).filter(from::equals).isPresent();
        return 2 * (copysets.strangers(to, staying) - copysets.strangers(from, staying))
                + (led ? 1 : 0);
    }

    private Decision.ChangeMembers change(RangeDescriptor range, NodeId from, NodeId to) {
        return new Decision.ChangeMembers(
                range.rangeId(),
                range.generation(),
                Optional.of(to),
                Optional.of(from),
                MoveReason.BALANCE,
                ReasonCode.HOLDS_MORE.of(from, ledger.replicas(from), to, ledger.replicas(to)));
    }

    private static Decision leave(Decision.Cause cause, Reason why) {
        return new Decision.Leave(Optional.empty(), cause, why);
    }
}

package io.parterre.manager.plan;

import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Evens out how many replicas nodes hold. Each move lessens a difference of two nodes that is
 * beyond the dead band and spreads zones no worse, so it comes to an end and stays there. For one
 * round.
 */
final class BalancePlanner {
    /** Ranges looked at in one round; what is not found among them may be found in the next. */
    private static final int LOOKS_MAX = 50_000;

    private final ClusterView view;
    private final Policy policy;
    private final Ledger ledger;
    private final List<NodeId> open;
    private int looks;

    BalancePlanner(ClusterView view, Policy policy, Ledger ledger, List<NodeId> open) {
        this.view = view;
        this.policy = policy;
        this.ledger = ledger;
        this.open = open;
    }

    /**
     * Decides.
     *
     * @param pressing whether ranges are in danger, which comes first
     */
    List<Decision> decide(boolean pressing) {
        if (open.size() < 2) {
            return List.of();
        }
        if (pressing || view.map().moves().stream().anyMatch(BalancePlanner::isPressing)) {
            return List.of(leave(Decision.Cause.NOT_SETTLED, "balance waits for repairs"));
        }
        List<Decision> decisions = new ArrayList<>();
        while (ledger.moves() < policy.voluntaryMovesMax()) {
            Optional<Decision.ChangeMembers> next = next();
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
            return leave(
                    Decision.Cause.BALANCED,
                    "nodes hold " + fewest + " to " + most + " replicas, which is even enough");
        }
        if (ledger.moves() >= policy.voluntaryMovesMax()) {
            return leave(
                    Decision.Cause.TOO_MANY_MOVES, ledger.moves() + " moves are under way already");
        }
        return leave(
                Decision.Cause.NO_BETTER_PLACE,
                "nodes hold "
                        + fewest
                        + " to "
                        + most
                        + " replicas, and no move now would spread them better");
    }

    private Optional<Decision.ChangeMembers> next() {
        int tolerated = tolerated();
        List<NodeId> byLoad = new ArrayList<>(open);
        byLoad.sort(
                Comparator.comparing(ledger::replicas).thenComparing(Comparator.naturalOrder()));
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

    /** A range to move, rather one that the node does not lead. */
    private Optional<Decision.ChangeMembers> between(NodeId from, NodeId to) {
        Optional<RangeDescriptor> led = Optional.empty();
        for (RangeId rangeId : view.map().ranges().onNode(from)) {
            if (++looks >= LOOKS_MAX) {
                break;
            }
            RangeDescriptor range = view.map().ranges().find(rangeId).orElseThrow();
            if (!mayMove(range, from, to)) {
                continue;
            }
            if (view.lastLeader(rangeId).filter(from::equals).isEmpty()) {
                return Optional.of(change(range, from, to));
            }
            led = led.or(() -> Optional.of(range));
        }
        return led.map(range -> change(range, from, to));
    }

    private boolean mayMove(RangeDescriptor range, NodeId from, NodeId to) {
        if (range.members().contains(to)
                || view.replica(to, range.rangeId()).isPresent()
                || range.members().size() != policy.replicas()
                || ledger.isChanging(range.rangeId())
                || !view.map().isConfirmed(range.rangeId())) {
            return false;
        }
        String fromZone = view.zone(from);
        String toZone = view.zone(to);
        if (!fromZone.equals(toZone)) {
            Zones zones = Zones.of(view, range.members());
            if (zones.in(toZone) + 1 > zones.in(fromZone)) {
                return false;
            }
        }
        return view.healthy(range) == range.members().size();
    }

    private Decision.ChangeMembers change(RangeDescriptor range, NodeId from, NodeId to) {
        return new Decision.ChangeMembers(
                range.rangeId(),
                range.generation(),
                Optional.of(to),
                Optional.of(from),
                MoveReason.BALANCE,
                "node "
                        + from
                        + " holds "
                        + ledger.replicas(from)
                        + " replicas, node "
                        + to
                        + " holds "
                        + ledger.replicas(to));
    }

    private static Decision leave(Decision.Cause cause, String why) {
        return new Decision.Leave(Optional.empty(), cause, why);
    }
}

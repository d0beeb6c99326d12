package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.manager.map.MoveReason;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.progress.StoreRebuildGate;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Zones;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns what a range needs into a change of its members, if there may be one. For one round. */
final class MovePlanner {
    /** So many wait at most for those that have a node near: to look for one takes its time. */
    private static final int LATER_MAX = 1_000;

    private final ClusterView view;
    private final Policy policy;
    private final Ledger ledger;
    private final Targets targets;
    private final Map<NodeId, Optional<String>> obstacles = new HashMap<>();

    MovePlanner(ClusterView view, Policy policy, Ledger ledger, Targets targets) {
        this.view = view;
        this.policy = policy;
        this.ledger = ledger;
        this.targets = targets;
    }

    /**
     * Decides about each. Of those that are as endangered as each other, first about those that
     * have a node near the members they keep: there may be only so many moves at once, and nodes
     * near those of the rest may just be busy.
     *
     * @param needs most endangered first
     */
    List<Decision> decide(List<RepairNeed> needs) {
        List<Decision> decisions = new ArrayList<>();
        List<RepairNeed> later = new ArrayList<>();
        for (RepairNeed need : needs) {
            if (!later.isEmpty()
                    && (later.size() == LATER_MAX || !need.isAsEndangeredAs(later.get(0)))) {
                later.forEach(each -> decisions.add(decide(each)));
                later.clear();
            }
            if (isForCopyset(need)) {
                decisions.add(decide(need));
            } else {
                later.add(need);
            }
        }
        later.forEach(each -> decisions.add(decide(each)));
        return decisions;
    }

    private boolean isForCopyset(RepairNeed need) {
        if (ledger.moves() >= policy.movesMax() || !targets.copysets().areInUse()) {
            return true;
        }
        RangeDescriptor range = need.range();
        return switch (need.kind()) {
            case REPAIR, DRAIN ->
                    targets.near(range, without(range, need.culprits().get(0))).isPresent();
            case UNDER_REPLICATED -> targets.near(range, range.members()).isPresent();
            case OVER_REPLICATED, ZONES, BALANCE, OPERATOR, MERGE -> true;
        };
    }

    private Decision decide(RepairNeed need) {
        if (need.margin() < 0) {
            return leave(
                    need,
                    Decision.Cause.NO_MAJORITY,
                    "only "
                            + view.healthy(need.range())
                            + " of "
                            + need.range().members().size()
                            + " members are healthy");
        }
        if (ledger.moves()
                >= (need.isPressing() ? policy.movesMax() : policy.voluntaryMovesMax())) {
            return leave(
                    need,
                    Decision.Cause.TOO_MANY_MOVES,
                    ledger.moves() + " moves are under way already");
        }
        return switch (need.kind()) {
            case REPAIR -> repair(need);
            case UNDER_REPLICATED -> grow(need);
            case OVER_REPLICATED -> shrink(need);
            case DRAIN ->
                    need.isForRoom()
                            ? makeRoom(need)
                            : replace(need, need.culprits().get(0), "drains");
            case ZONES -> spread(need);
            case BALANCE, OPERATOR, MERGE ->
                    throw new IllegalStateException(
                            "need: " + need.kind() + " (expected: one of a range)");
        };
    }

    /** One that is enough at a time: freed room shows only when the replica is gone. */
    private Decision makeRoom(RepairNeed need) {
        NodeId crammed =
                need.culprits().stream()
                        .filter(node -> !ledger.givesEnough(node))
                        .findFirst()
                        .orElse(need.culprits().get(0));
        String what = "has " + view.diskText(crammed);
        if (ledger.givesEnough(crammed)) {
            return leave(
                    need,
                    Decision.Cause.TOO_MANY_MOVES,
                    "node " + crammed + " " + what + ", and what is on its way from it is enough");
        }
        return replace(need, crammed, what);
    }

    private Decision repair(RepairNeed need) {
        NodeId gone = need.culprits().get(0);
        RangeDescriptor range = need.range();
        Health health = view.health(range.rangeId(), gone);
        if (view.damage(gone).isPresent()) {
            return withoutStore(need, gone);
        }
        boolean serves = health == Health.HEALTHY;
        boolean elsewhere = serves && targets.count(range) > 0;
        if (health != Health.DEAD && !elsewhere && takesBack(gone)) {
            if (view.healthy(range) - (serves ? 1 : 0) < majority(range.members().size() - 1)) {
                return leave(need, Decision.Cause.NO_MAJORITY, "too few members without " + gone);
            }
            return change(
                    range,
                    Optional.of(gone),
                    Optional.of(gone),
                    MoveReason.REPAIR,
                    "node " + gone + " " + what(health) + " and gets a new copy");
        }
        return replace(need, gone, what(health));
    }

    private static String what(Health health) {
        return switch (health) {
            case DEAD -> "is dead";
            case DAMAGED, HEALTHY -> "has a damaged replica";
            case LOST, CATCHING_UP, SILENT -> "has lost its replica";
        };
    }

    /** All of the node is given up and comes again at once, or the range goes elsewhere. */
    private Decision withoutStore(RepairNeed need, NodeId node) {
        Optional<String> obstacle =
                obstacles.computeIfAbsent(node, each -> StoreRebuildGate.obstacle(view, each));
        return obstacle.isEmpty()
                ? leave(
                        need,
                        Decision.Cause.NOT_SETTLED,
                        "node " + node + " cannot use its store and may rebuild its store")
                : replace(
                        need,
                        node,
                        "cannot use its store and has no permission to rebuild its store: "
                                + obstacle.get());
    }

    /** Whether a node that lost its replica is to have it again. */
    private boolean takesBack(NodeId node) {
        return view.map().node(node).filter(known -> !known.state().givesReplicas()).isPresent()
                && ledger.hasRoom(node);
    }

    private Decision replace(RepairNeed need, NodeId old, String what) {
        Optional<NodeId> named = replacement(need, old);
        if (named.isPresent() && !targets.isReady(need.range(), named.get())) {
            return leave(
                    need,
                    Decision.Cause.TOO_MANY_MOVES,
                    "node "
                            + old
                            + " "
                            + what
                            + ", node "
                            + named.get()
                            + " is to replace it and is busy with moves");
        }
        Optional<NodeId> target =
                named.or(() -> targets.best(need.range(), without(need.range(), old)));
        // A dead node carries nothing that a limit would spare.
        boolean spared =
                view.health(need.range().rangeId(), old) == Health.DEAD || ledger.hasRoom(old);
        if (target.isEmpty() || !spared) {
            return noNode(need, "node " + old + " " + what);
        }
        return change(
                need.range(),
                target,
                Optional.of(old),
                need.kind(),
                "node " + old + " " + what + ", node " + target.get() + " takes its place");
    }

    /**
     * Who an operator wants to take the node's replicas, if it can take this one: else any other
     * has to, or the node would never get empty.
     */
    private Optional<NodeId> replacement(RepairNeed need, NodeId old) {
        return view.map().replacement(old).filter(named -> targets.isOpen(need.range(), named));
    }

    private Decision noNode(RepairNeed need, String what) {
        if (targets.count(need.range()) > 0) {
            return leave(
                    need,
                    Decision.Cause.TOO_MANY_MOVES,
                    what + ", the nodes that could help are busy with moves");
        }
        return tooFew(need, what + ", no node can take a replica");
    }

    private Decision tooFew(RepairNeed need, String what) {
        return targets.isAnyFull(need.range())
                ? leave(
                        need,
                        Decision.Cause.NODES_FULL,
                        what
                                + ": those without one hold "
                                + policy.replicasPerNodeMax()
                                + " replicas already")
                : leave(need, Decision.Cause.NO_NODE, what);
    }

    private Decision grow(RepairNeed need) {
        RangeDescriptor range = need.range();
        int members = range.members().size();
        String what = members + " of " + policy.replicas() + " members";
        // An even number bears no more losses than one less, and stops for one more of them: only
        // as a step on the way.
        int missing = members % 2 == 0 ? 1 : 2;
        if (targets.count(range) < missing) {
            return tooFew(need, what + ", too few other nodes");
        }
        Optional<NodeId> target = targets.best(range, range.members());
        if (target.isEmpty()) {
            return noNode(need, what);
        }
        return change(
                range,
                target,
                Optional.empty(),
                MoveReason.UNDER_REPLICATED,
                what + ", node " + target.get() + " gets a replica");
    }

    private Decision shrink(RepairNeed need) {
        RangeDescriptor range = need.range();
        int members = range.members().size();
        NodeId victim = need.culprits().isEmpty() ? leastMissed(range) : need.culprits().get(0);
        Health health = view.health(range.rangeId(), victim);
        int left = view.healthy(range) - (health == Health.HEALTHY ? 1 : 0);
        if (!health.isGone() && anySilent(range)) {
            return leave(
                    need,
                    Decision.Cause.NOT_SETTLED,
                    members + " members, and not all of them have been heard of lately");
        }
        if (left < majority(members - 1)) {
            return leave(
                    need,
                    Decision.Cause.NO_MAJORITY,
                    "only " + left + " healthy members would be left without " + victim);
        }
        return change(
                range,
                Optional.empty(),
                Optional.of(victim),
                MoveReason.OVER_REPLICATED,
                members
                        + " members instead of "
                        + policy.replicas()
                        + ", node "
                        + victim
                        + " goes");
    }

    private boolean anySilent(RangeDescriptor range) {
        return range.members().stream()
                .anyMatch(node -> view.health(range.rangeId(), node) == Health.SILENT);
    }

    /** In the most crowded zone, not the leader, on the fullest node. */
    private NodeId leastMissed(RangeDescriptor range) {
        Zones zones = Zones.of(view, range.members());
        Optional<NodeId> leader = view.lastLeader(range.rangeId());
        return range.members().stream()
                .min(
                        Comparator.comparing(
                                        (NodeId node) ->
                                                view.health(range.rangeId(), node)
                                                        == Health.HEALTHY)
                                .thenComparing(node -> -zones.in(view.zone(node)))
                                .thenComparing(node -> leader.filter(node::equals).isPresent())
                                .thenComparing(node -> -ledger.replicas(node))
                                .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
    }

    private Decision spread(RepairNeed need) {
        RangeDescriptor range = need.range();
        if (view.healthy(range) < range.members().size()) {
            return leave(
                    need, Decision.Cause.NOT_SETTLED, "zones wait until all members are healthy");
        }
        Zones zones = Zones.of(view, range.members());
        Optional<NodeId> leader = view.lastLeader(range.rangeId());
        NodeId old =
                need.culprits().stream()
                        .min(
                                Comparator.comparing(
                                                (NodeId node) ->
                                                        leader.filter(node::equals).isPresent())
                                        .thenComparing(node -> -ledger.replicas(node))
                                        .thenComparing(Comparator.naturalOrder()))
                        .orElseThrow();
        Optional<NodeId> target = targets.best(range, without(range, old));
        boolean better =
                target.filter(node -> zones.in(view.zone(node)) + 2 <= zones.in(view.zone(old)))
                        .isPresent();
        if (!better || !ledger.hasRoom(old)) {
            return leave(
                    need,
                    Decision.Cause.TOO_MANY_MOVES,
                    "zones could be spread better, the nodes that could help are busy with moves");
        }
        return change(
                range,
                target,
                Optional.of(old),
                MoveReason.ZONES,
                "zone '"
                        + view.zone(old)
                        + "' has "
                        + zones.in(view.zone(old))
                        + " members, zone '"
                        + view.zone(target.get())
                        + "' has "
                        + zones.in(view.zone(target.get())));
    }

    private static List<NodeId> without(RangeDescriptor range, NodeId node) {
        List<NodeId> rest = new ArrayList<>(range.members());
        rest.remove(node);
        return rest;
    }

    private Decision change(
            RangeDescriptor range,
            Optional<NodeId> add,
            Optional<NodeId> remove,
            MoveReason reason,
            String why) {
        Decision.ChangeMembers change =
                new Decision.ChangeMembers(
                        range.rangeId(), range.generation(), add, remove, reason, why);
        ledger.begin(change);
        return change;
    }

    private static Decision leave(RepairNeed need, Decision.Cause cause, String why) {
        return new Decision.Leave(Optional.of(need.range().rangeId()), cause, why);
    }
}

package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.manager.map.MoveReason;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.progress.StoreRebuildGate;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Zones;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns what a range needs into a change of its members, if one is allowed. For one round. */
final class MovePlanner {
    /**
     * Upper bound of needs that wait for those with a near node, because the search for a near node
     * takes time.
     */
    private static final int LATER_MAX = 1_000;

    private final ClusterView view;
    private final Policy policy;
    private final Ledger ledger;
    private final Targets targets;
    private final Map<NodeId, Optional<Reason>> obstacles = new HashMap<>();

    MovePlanner(ClusterView view, Policy policy, Ledger ledger, Targets targets) {
        this.view = view;
        this.policy = policy;
        this.ledger = ledger;
        this.targets = targets;
    }

    /**
     * Decides about each need. Among equally endangered ranges, those come first for which a node
     * is near the members that stay: the number of moves is limited, and for the rest the near
     * nodes may just be busy.
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
                    ReasonCode.FEW_ARE_HEALTHY.of(
                            view.healthy(need.range()), need.range().members().size()));
        }
        if (ledger.moves()
                >= (need.isPressing() ? policy.movesMax() : policy.voluntaryMovesMax())) {
            return leave(
                    need,
                    Decision.Cause.TOO_MANY_MOVES,
                    ReasonCode.MOVES_UNDER_WAY.of(ledger.moves()));
        }
        return switch (need.kind()) {
            case REPAIR -> repair(need);
            case UNDER_REPLICATED -> grow(need);
            case OVER_REPLICATED -> shrink(need);
            case DRAIN ->
                    need.isForRoom()
                            ? makeRoom(need)
                            : replace(
                                    need,
                                    need.culprits().get(0),
                                    ReasonCode.NODE_DRAINS.of(need.culprits().get(0)));
            case ZONES -> spread(need);
            case BALANCE, OPERATOR, MERGE ->
                    throw new IllegalStateException(
                            "need: " + need.kind() + " (expected: one of a range)");
        };
    }

    /**
     * Moves one replica at a time if it frees enough, because the freed space shows only once the
     * replica is gone.
     */
    private Decision makeRoom(RepairNeed need) {
        NodeId diskFull =
                need.culprits().stream()
                        .filter(node -> !ledger.givesEnough(node))
                        .findFirst()
                        .orElse(need.culprits().get(0));
        Reason why = ReasonCode.NODE_HAS_DISK.of(diskFull, view.diskUse(diskFull));
        if (ledger.givesEnough(diskFull)) {
            return leave(need, Decision.Cause.TOO_MANY_MOVES, ReasonCode.ENOUGH_UNDER_WAY.of(why));
        }
        return replace(need, diskFull, why);
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
                return leave(need, Decision.Cause.NO_MAJORITY, ReasonCode.FEW_WITHOUT.of(gone));
            }
            return change(
                    range,
                    Optional.of(gone),
                    Optional.of(gone),
                    MoveReason.REPAIR,
                    ReasonCode.GETS_NEW_COPY.of(why(gone, health)));
        }
        return replace(need, gone, why(gone, health));
    }

    private static Reason why(NodeId node, Health health) {
        ReasonCode code =
                switch (health) {
                    case DEAD -> ReasonCode.NODE_IS_DEAD;
                    case DAMAGED, HEALTHY -> ReasonCode.NODE_IS_DAMAGED;
                    case LOST, CATCHING_UP, SILENT -> ReasonCode.NODE_LOST_REPLICA;
                };
        return code.of(node);
    }

    /**
     * Either the node may rebuild all of its store and keep its ranges, or the range moves
     * elsewhere.
     */
    private Decision withoutStore(RepairNeed need, NodeId node) {
        Optional<Reason> obstacle =
                obstacles.computeIfAbsent(node, each -> StoreRebuildGate.obstacle(view, each));
        return obstacle.isEmpty()
                ? leave(need, Decision.Cause.NOT_SETTLED, ReasonCode.NODE_MAY_REBUILD.of(node))
                : replace(need, node, ReasonCode.NODE_LACKS_PERMISSION.of(node, obstacle.get()));
    }

    /** Returns whether a node that lost its replica is to get it again. */
    private boolean takesBack(NodeId node) {
        return view.map().node(node).filter(known -> !known.state().givesReplicas()).isPresent()
                && ledger.hasRoom(node);
    }

    private Decision replace(RepairNeed need, NodeId old, Reason why) {
        Optional<NodeId> named = replacement(need, old);
        if (named.isPresent() && !targets.isReady(need.range(), named.get())) {
            return leave(
                    need,
                    Decision.Cause.TOO_MANY_MOVES,
                    ReasonCode.REPLACEMENT_IS_BUSY.of(why, named.get()));
        }
        Optional<NodeId> target =
                named.or(() -> targets.best(need.range(), without(need.range(), old)));
        // A dead node carries no load that the limit would protect.
        boolean spared =
                view.health(need.range().rangeId(), old) == Health.DEAD || ledger.hasRoom(old);
        if (target.isEmpty() || !spared) {
            return noNode(need, why);
        }
        return change(
                need.range(),
                target,
                Optional.of(old),
                need.kind(),
                ReasonCode.TAKES_ITS_PLACE.of(why, target.get()));
    }

    /**
     * Returns the node that an operator named as the replacement, if it can take this replica.
     * Otherwise any other node takes it, or the old node would never get empty.
     */
    private Optional<NodeId> replacement(RepairNeed need, NodeId old) {
        return view.map().replacement(old).filter(named -> targets.isOpen(need.range(), named));
    }

    private Decision noNode(RepairNeed need, Reason why) {
        if (targets.count(need.range()) > 0) {
            return leave(need, Decision.Cause.TOO_MANY_MOVES, ReasonCode.HELPERS_ARE_BUSY.of(why));
        }
        return tooFew(need, ReasonCode.NO_NODE_CAN_TAKE.of(why));
    }

    private Decision tooFew(RepairNeed need, Reason why) {
        return targets.isAnyFull(need.range())
                ? leave(
                        need,
                        Decision.Cause.NODES_FULL,
                        ReasonCode.NODES_ARE_FULL.of(why, policy.replicasPerNodeMax()))
                : leave(need, Decision.Cause.NO_NODE, why);
    }

    private Decision grow(RepairNeed need) {
        RangeDescriptor range = need.range();
        int members = range.members().size();
        Reason why = ReasonCode.MEMBERS.of(members, policy.replicas());
        // An even number of members tolerates no more losses than one less, and stops with one loss
        // more. So it is only a step on the way.
        int missing = members % 2 == 0 ? 1 : 2;
        if (targets.count(range) < missing) {
            return tooFew(need, ReasonCode.TOO_FEW_OTHERS.of(why));
        }
        Optional<NodeId> target = targets.best(range, range.members());
        if (target.isEmpty()) {
            return noNode(need, why);
        }
        return change(
                range,
                target,
                Optional.empty(),
                MoveReason.UNDER_REPLICATED,
                ReasonCode.GETS_REPLICA.of(why, target.get()));
    }

    private Decision shrink(RepairNeed need) {
        RangeDescriptor range = need.range();
        int members = range.members().size();
        NodeId victim = need.culprits().isEmpty() ? leastMissed(range) : need.culprits().get(0);
        Health health = view.health(range.rangeId(), victim);
        int left = view.healthy(range) - (health == Health.HEALTHY ? 1 : 0);
        if (!health.isGone() && anySilent(range)) {
            return leave(
                    need, Decision.Cause.NOT_SETTLED, ReasonCode.MEMBERS_ARE_UNHEARD.of(members));
        }
        if (left < majority(members - 1)) {
            return leave(
                    need,
                    Decision.Cause.NO_MAJORITY,
                    ReasonCode.FEW_WOULD_BE_LEFT.of(left, victim));
        }
        return change(
                range,
                Optional.empty(),
                Optional.of(victim),
                MoveReason.OVER_REPLICATED,
                ReasonCode.MEMBER_GOES.of(members, policy.replicas(), victim));
    }

    private boolean anySilent(RangeDescriptor range) {
        return range.members().stream()
                .anyMatch(node -> view.health(range.rangeId(), node) == Health.SILENT);
    }

    /**
     * Returns the member to remove: unhealthy first, then in the most crowded zone, not the leader,
     * on the fullest node.
     */
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
            return leave(need, Decision.Cause.NOT_SETTLED, ReasonCode.ZONES_WAIT.of());
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
                    need, Decision.Cause.TOO_MANY_MOVES, ReasonCode.ZONES_NEED_BUSY_NODES.of());
        }
        return change(
                range,
                target,
                Optional.of(old),
                MoveReason.ZONES,
                ReasonCode.ZONE_IS_CROWDED.of(
                        view.zone(old),
                        zones.in(view.zone(old)),
                        view.zone(target.get()),
                        zones.in(view.zone(target.get()))));
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
            Reason why) {
        Decision.ChangeMembers change =
                new Decision.ChangeMembers(
                        range.rangeId(), range.generation(), add, remove, reason, why);
        ledger.begin(change);
        return change;
    }

    private static Decision leave(RepairNeed need, Decision.Cause cause, Reason why) {
        return new Decision.Leave(Optional.of(need.range().rangeId()), cause, why);
    }
}

package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.DisruptionLease;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Judges operators' requests about nodes and ranges, without carrying them out. Stateless and
 * thread-safe.
 */
public final class OperatorRequests {
    private static final Duration DISRUPTION_MAX = Duration.ofHours(24);

    private OperatorRequests() {}

    public static Verdict moveLeader(ClusterView view, RangeId rangeId, NodeId to) {
        return onRange(
                view,
                rangeId,
                range -> {
                    if (!range.members().contains(to)) {
                        return new Verdict.Refuse(ReasonCode.NODE_NO_MEMBER.of(to, rangeId));
                    }
                    if (view.leader(rangeId).filter(to::equals).isPresent()) {
                        return Verdict.Do.nothing(ReasonCode.NODE_LEADS_ALREADY.of(to, rangeId));
                    }
                    if (view.map().isChanging(rangeId)) {
                        return beingChanged(rangeId);
                    }
                    if (view.health(rangeId, to) != Health.HEALTHY) {
                        return new Verdict.Refuse(
                                ReasonCode.NODE_IS_UNFIT_TO_LEAD.of(to, view.health(rangeId, to)));
                    }
                    if (!view.takesMore(to)) {
                        return new Verdict.Refuse(ReasonCode.NODE_TAKES_NO_LEADERSHIP.of(to));
                    }
                    return new Verdict.Do(
                            List.of(),
                            Optional.of(new Verdict.LeadershipRequest(rangeId, to)),
                            List.of(ReasonCode.HAND_OVER_IS_ASKED.of(rangeId, to)));
                });
    }

    private static Verdict onRange(
            ClusterView view, RangeId rangeId, Function<RangeDescriptor, Verdict> judge) {
        return view.map()
                .ranges()
                .find(rangeId)
                .map(judge)
                .orElseGet(() -> new Verdict.NotFound(ReasonCode.RANGE_DOES_NOT_EXIST.of(rangeId)));
    }

    private static Verdict beingChanged(RangeId rangeId) {
        return new Verdict.Refuse(ReasonCode.RANGE_IS_CHANGING.of(rangeId));
    }

    /**
     * Judges a request to add a member, remove one, or replace one.
     *
     * @param from node that loses its replica
     * @param to node that gets one
     */
    public static Verdict moveReplica(
            ClusterView view, RangeId rangeId, Optional<NodeId> from, Optional<NodeId> to) {
        if (from.isEmpty() && to.isEmpty()) {
            return new Verdict.Invalid(ReasonCode.NO_NODE_GIVEN.of());
        }
        if (from.equals(to)) {
            return new Verdict.Invalid(ReasonCode.ONE_NODE_GIVEN_TWICE.of(to.get()));
        }
        return onRange(
                view,
                rangeId,
                range ->
                        whyNotMoved(view, range, from, to)
                                .<Verdict>map(Verdict.Refuse::new)
                                .orElseGet(() -> move(view, range, from, to)));
    }

    private static Verdict move(
            ClusterView view, RangeDescriptor range, Optional<NodeId> from, Optional<NodeId> to) {
        List<Reason> effects = new ArrayList<>();
        to.ifPresent(node -> effects.add(ReasonCode.RANGE_GETS_REPLICA.of(range.rangeId(), node)));
        from.ifPresent(
                node -> effects.add(ReasonCode.RANGE_LOSES_REPLICA.of(range.rangeId(), node)));
        Move move =
                new Move(
                        range.rangeId(),
                        to,
                        from,
                        MoveReason.OPERATOR,
                        range.generation(),
                        view.now());
        return new Verdict.Do(List.of(new MapCommand.BeginMove(move)), Optional.empty(), effects);
    }

    private static Optional<Reason> whyNotMoved(
            ClusterView view, RangeDescriptor range, Optional<NodeId> from, Optional<NodeId> to) {
        RangeId rangeId = range.rangeId();
        int members = range.members().size();
        if (view.map().isChanging(rangeId)) {
            return Optional.of(ReasonCode.RANGE_IS_CHANGING.of(rangeId));
        }
        if (!view.map().isConfirmed(rangeId)) {
            return Optional.of(ReasonCode.RANGE_IS_FOUNDED.of(rangeId));
        }
        if (from.filter(node -> !range.members().contains(node)).isPresent()) {
            return Optional.of(ReasonCode.NODE_NO_MEMBER.of(from.get(), rangeId));
        }
        if (to.isPresent()) {
            NodeId node = to.get();
            if (range.members().contains(node)) {
                return Optional.of(ReasonCode.NODE_IS_MEMBER.of(node, rangeId));
            }
            if (!view.takesMore(node)) {
                return Optional.of(ReasonCode.NODE_TAKES_NO_REPLICAS.of(node));
            }
            int full = view.policy().replicasPerNodeMax();
            if (view.map().ranges().onNode(node).size() >= full) {
                return Optional.of(ReasonCode.NODE_IS_FULL.of(node, full));
            }
            if (view.replica(node, rangeId).isPresent()) {
                return Optional.of(ReasonCode.NODE_HOLDS_OLD_REPLICA.of(node, rangeId));
            }
        }
        int wanted = view.policy().replicas();
        if (from.isEmpty() && members >= wanted || to.isEmpty() && members <= wanted) {
            return Optional.of(ReasonCode.MEMBER_COUNT.of(rangeId, members, wanted));
        }
        int healthy = view.healthy(range);
        if (healthy < majority(members)) {
            return Optional.of(ReasonCode.RANGE_MEMBERS_UNHEALTHY.of(healthy, members));
        }
        boolean losesHealthy =
                to.isEmpty()
                        && from.filter(node -> view.health(rangeId, node) == Health.HEALTHY)
                                .isPresent();
        if (to.isEmpty() && healthy - (losesHealthy ? 1 : 0) < majority(members - 1)) {
            return Optional.of(ReasonCode.TOO_FEW_WOULD_BE_LEFT.of());
        }
        return Optional.empty();
    }

    /**
     * Judges a request to move the node's leaderships to others.
     *
     * @param replicas whether its replicas move as well
     */
    public static Verdict drain(ClusterView view, NodeId nodeId, boolean replicas) {
        return setState(
                view,
                nodeId,
                replicas ? NodeState.DRAINING : NodeState.LEADERSHIP_DRAINED,
                replicas);
    }

    public static Verdict decommission(ClusterView view, NodeId nodeId) {
        return setState(view, nodeId, NodeState.DECOMMISSIONING, true);
    }

    /**
     * Judges a request to decommission a node and move its replicas to a named other one, as far as
     * that one can take them. The node may be dead.
     */
    public static Verdict replace(ClusterView view, NodeId nodeId, NodeId replacement) {
        if (nodeId.equals(replacement)) {
            return new Verdict.Invalid(ReasonCode.REPLACEMENT_IS_SAME.of(replacement));
        }
        if (view.map().node(nodeId).isEmpty()) {
            return unknown(nodeId);
        }
        if (view.map().node(replacement).isEmpty()) {
            return unknown(replacement);
        }
        if (view.map().replacement(nodeId).filter(replacement::equals).isPresent()) {
            return Verdict.Do.nothing(ReasonCode.NODE_IS_REPLACED_ALREADY.of(nodeId, replacement));
        }
        if (!view.takesMore(replacement)) {
            return new Verdict.Refuse(ReasonCode.NODE_TAKES_NO_REPLICAS.of(replacement));
        }
        NodeState before = view.map().node(nodeId).orElseThrow().state();
        if (before != NodeState.DECOMMISSIONING && !before.mayBecome(NodeState.DECOMMISSIONING)) {
            return new Verdict.Refuse(ReasonCode.NODE_HAS_NO_REPLICAS.of(nodeId, before.word()));
        }
        int held = view.map().ranges().onNode(nodeId).size();
        int room =
                view.policy().replicasPerNodeMax() - view.map().ranges().onNode(replacement).size();
        long shared =
                view.map().ranges().onNode(nodeId).stream()
                        .filter(view.map().ranges().onNode(replacement)::contains)
                        .count();
        if (held - shared > room) {
            return new Verdict.Refuse(
                    ReasonCode.REPLACEMENT_HAS_NO_ROOM.of(
                            replacement, Math.max(0, room), nodeId, held));
        }
        if (shared > 0 && othersThatTakeMore(view, nodeId) < view.policy().replicas()) {
            return new Verdict.Refuse(ReasonCode.REPLACEMENT_IS_MEMBER.of(replacement, shared));
        }
        List<Reason> effects = new ArrayList<>();
        effects.add(becomes(nodeId, before, NodeState.DECOMMISSIONING));
        effects.add(ReasonCode.NODE_GETS_REPLICAS.of(replacement, held - shared));
        if (shared > 0) {
            effects.add(ReasonCode.OTHERS_GET_REPLICAS.of(shared, replacement));
        }
        effects.add(ReasonCode.LEAVES_ONCE_EMPTY.of());
        return new Verdict.Do(
                List.of(
                        new MapCommand.SetNodeState(
                                nodeId, NodeState.DECOMMISSIONING, Optional.of(replacement))),
                Optional.empty(),
                effects);
    }

    private static long othersThatTakeMore(ClusterView view, NodeId nodeId) {
        return view.map().nodes().stream()
                .filter(other -> !other.nodeId().equals(nodeId))
                .filter(other -> view.takesMore(other.nodeId()))
                .count();
    }

    public static Verdict undrain(ClusterView view, NodeId nodeId) {
        return setState(view, nodeId, NodeState.ACTIVE, false);
    }

    private static Verdict setState(
            ClusterView view, NodeId nodeId, NodeState state, boolean replicas) {
        Optional<ClusterNode> node = view.map().node(nodeId);
        if (node.isEmpty()) {
            return unknown(nodeId);
        }
        NodeState before = node.get().state();
        if (before == state && view.map().replacement(nodeId).isEmpty()) {
            return Verdict.Do.nothing(ReasonCode.NODE_IS_SO_ALREADY.of(nodeId, state.word()));
        }
        if (before != state && !before.mayBecome(state)) {
            return new Verdict.Refuse(
                    ReasonCode.NODE_STATE.of(nodeId, before.word(), state.word()));
        }
        int held = view.map().ranges().onNode(nodeId).size();
        if (replicas && held > 0) {
            long others = othersThatTakeMore(view, nodeId);
            if (others < view.policy().replicas()) {
                return new Verdict.Refuse(
                        ReasonCode.TOO_FEW_NODES.of(others, view.policy().replicas()));
            }
        }
        List<Reason> effects = new ArrayList<>();
        effects.add(becomes(nodeId, before, state));
        if (state != NodeState.ACTIVE) {
            effects.add(ReasonCode.TRANSFERS_LEADERSHIP.of(count(view.leads(nodeId), "range")));
        }
        if (replicas) {
            effects.add(ReasonCode.GIVES_REPLICAS_AWAY.of(count(held, "replica")));
        }
        if (state == NodeState.DECOMMISSIONING) {
            effects.add(ReasonCode.LEAVES_ONCE_EMPTY.of());
        }
        return new Verdict.Do(
                List.of(new MapCommand.SetNodeState(nodeId, state)), Optional.empty(), effects);
    }

    private static Verdict unknown(NodeId nodeId) {
        return new Verdict.NotFound(ReasonCode.NODE_DOES_NOT_EXIST.of(nodeId));
    }

    /** Returns the effect in the words of the node list's states. */
    private static Reason becomes(NodeId nodeId, NodeState before, NodeState after) {
        return ReasonCode.NODE_CHANGES_STATE.of(nodeId, after.word(), before.word());
    }

    private static String count(long number, String one) {
        return number + " " + one + (number == 1 ? "" : "s");
    }

    /**
     * Judges a request for the disruption permit, which needs every range on the node to go on
     * without it.
     */
    public static Verdict takeDisruptionLease(
            ClusterView view, NodeId nodeId, Duration length, String reason) {
        if (length.isNegative() || length.isZero() || length.compareTo(DISRUPTION_MAX) > 0) {
            return new Verdict.Invalid(
                    ReasonCode.SECONDS.of(length.toSeconds(), DISRUPTION_MAX.toSeconds()));
        }
        if (reason.length() > DisruptionLease.REASON_LENGTH_MAX) {
            return new Verdict.Invalid(
                    ReasonCode.REASON_LENGTH.of(
                            reason.length(), DisruptionLease.REASON_LENGTH_MAX));
        }
        if (view.map().node(nodeId).isEmpty()) {
            return unknown(nodeId);
        }
        Optional<NodeId> other = view.permitHolder().filter(holder -> !holder.equals(nodeId));
        if (other.isPresent()) {
            return new Verdict.Refuse(ReasonCode.DISRUPTION_PERMIT_HELD.of(other.get()));
        }
        for (RangeId rangeId : view.map().ranges().onNode(nodeId)) {
            RangeDescriptor range = view.map().ranges().find(rangeId).orElseThrow();
            long left =
                    range.members().stream()
                            .filter(member -> !member.equals(nodeId))
                            .filter(member -> view.keepsUp(rangeId, member))
                            .count();
            if (left < majority(range.members().size())) {
                return new Verdict.Refuse(
                        ReasonCode.RANGE_WOULD_STAND_STILL.of(
                                rangeId, left, range.members().size()));
            }
        }
        return Verdict.Do.command(
                new MapCommand.TakeDisruptionLease(
                        new DisruptionLease(nodeId, view.now().plus(length), reason), view.now()),
                ReasonCode.NODE_MAY_BE_DOWN_FOR.of(nodeId, length.toSeconds()),
                ReasonCode.TRANSFERS_LEADERSHIP.of(count(view.leads(nodeId), "range")));
    }

    public static Verdict returnDisruptionLease(ClusterView view, NodeId nodeId) {
        if (view.map().node(nodeId).isEmpty()) {
            return unknown(nodeId);
        }
        if (view.permitHolder().filter(nodeId::equals).isEmpty()) {
            return Verdict.Do.nothing(ReasonCode.NODE_HOLDS_NO_PERMIT.of(nodeId));
        }
        return Verdict.Do.command(
                new MapCommand.ReturnDisruptionLease(nodeId),
                ReasonCode.NODE_RETURNS_PERMIT.of(nodeId));
    }
}

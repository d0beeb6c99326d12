package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.DisruptionLease;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.map.Refusal;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Judges what operators ask about nodes and ranges, without doing it. Stateless; safe for any
 * thread.
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
                        return new Verdict.Refuse(
                                Refusal.of(Refusal.Code.NODE_NO_MEMBER, to, rangeId));
                    }
                    if (view.leader(rangeId).filter(to::equals).isPresent()) {
                        return Verdict.Do.nothing(
                                "node " + to + " leads range " + rangeId + " already");
                    }
                    if (view.map().isChanging(rangeId)) {
                        return beingChanged(rangeId);
                    }
                    if (view.health(rangeId, to) != Health.HEALTHY) {
                        return new Verdict.Refuse(
                                Refusal.of(
                                        Refusal.Code.NODE_IS_UNFIT_TO_LEAD,
                                        to,
                                        view.health(rangeId, to)));
                    }
                    if (!view.takesMore(to)) {
                        return new Verdict.Refuse(
                                Refusal.of(Refusal.Code.NODE_TAKES_NO_LEADERSHIP, to));
                    }
                    return new Verdict.Do(
                            List.of(),
                            Optional.of(new Verdict.LeadershipRequest(rangeId, to)),
                            List.of(
                                    "the leader of range "
                                            + rangeId
                                            + " is asked to hand over to node "
                                            + to));
                });
    }

    private static Verdict onRange(
            ClusterView view, RangeId rangeId, Function<RangeDescriptor, Verdict> judge) {
        return view.map()
                .ranges()
                .find(rangeId)
                .map(judge)
                .orElseGet(
                        () ->
                                new Verdict.NotFound(
                                        Refusal.of(Refusal.Code.RANGE_DOES_NOT_EXIST, rangeId)));
    }

    private static Verdict beingChanged(RangeId rangeId) {
        return new Verdict.Refuse(Refusal.of(Refusal.Code.RANGE_IS_CHANGING, rangeId));
    }

    /**
     * Another member, one less, or one in place of another.
     *
     * @param from who loses its replica
     * @param to who gets one
     */
    public static Verdict moveReplica(
            ClusterView view, RangeId rangeId, Optional<NodeId> from, Optional<NodeId> to) {
        if (from.isEmpty() && to.isEmpty()) {
            return new Verdict.Invalid(Refusal.of(Refusal.Code.NO_NODE_GIVEN));
        }
        if (from.equals(to)) {
            return new Verdict.Invalid(Refusal.of(Refusal.Code.ONE_NODE_GIVEN_TWICE, to.get()));
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
        List<String> effects = new ArrayList<>();
        to.ifPresent(
                node ->
                        effects.add(
                                "range " + range.rangeId() + " gets a replica on node " + node));
        from.ifPresent(
                node ->
                        effects.add(
                                "range " + range.rangeId() + " loses its replica on node " + node));
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

    private static Optional<Refusal> whyNotMoved(
            ClusterView view, RangeDescriptor range, Optional<NodeId> from, Optional<NodeId> to) {
        RangeId rangeId = range.rangeId();
        int members = range.members().size();
        if (view.map().isChanging(rangeId)) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_IS_CHANGING, rangeId));
        }
        if (!view.map().isConfirmed(rangeId)) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_IS_FOUNDED, rangeId));
        }
        if (from.filter(node -> !range.members().contains(node)).isPresent()) {
            return Optional.of(Refusal.of(Refusal.Code.NODE_NO_MEMBER, from.get(), rangeId));
        }
        if (to.isPresent()) {
            NodeId node = to.get();
            if (range.members().contains(node)) {
                return Optional.of(Refusal.of(Refusal.Code.NODE_IS_MEMBER, node, rangeId));
            }
            if (!view.takesMore(node)) {
                return Optional.of(Refusal.of(Refusal.Code.NODE_TAKES_NO_REPLICAS, node));
            }
            int full = view.policy().replicasPerNodeMax();
            if (view.map().ranges().onNode(node).size() >= full) {
                return Optional.of(Refusal.of(Refusal.Code.NODE_IS_FULL, node, full));
            }
            if (view.replica(node, rangeId).isPresent()) {
                return Optional.of(Refusal.of(Refusal.Code.NODE_HOLDS_OLD_REPLICA, node, rangeId));
            }
        }
        int wanted = view.policy().replicas();
        if (from.isEmpty() && members >= wanted || to.isEmpty() && members <= wanted) {
            return Optional.of(Refusal.of(Refusal.Code.MEMBER_COUNT, rangeId, members, wanted));
        }
        int healthy = view.healthy(range);
        if (healthy < majority(members)) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_MEMBERS_UNHEALTHY, healthy, members));
        }
        boolean losesHealthy =
                to.isEmpty()
                        && from.filter(node -> view.health(rangeId, node) == Health.HEALTHY)
                                .isPresent();
        if (to.isEmpty() && healthy - (losesHealthy ? 1 : 0) < majority(members - 1)) {
            return Optional.of(Refusal.of(Refusal.Code.TOO_FEW_WOULD_BE_LEFT));
        }
        return Optional.empty();
    }

    /**
     * A node that gives away its leaderships.
     *
     * @param replicas whether its replicas as well
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
     * A node that leaves and whose replicas go to a certain other one, as far as that can take
     * them; the node may be dead.
     */
    public static Verdict replace(ClusterView view, NodeId nodeId, NodeId replacement) {
        if (nodeId.equals(replacement)) {
            return new Verdict.Invalid(Refusal.of(Refusal.Code.REPLACEMENT_IS_SAME, replacement));
        }
        if (view.map().node(nodeId).isEmpty()) {
            return unknown(nodeId);
        }
        if (view.map().node(replacement).isEmpty()) {
            return unknown(replacement);
        }
        if (view.map().replacement(nodeId).filter(replacement::equals).isPresent()) {
            return Verdict.Do.nothing(
                    "node " + nodeId + " is being replaced by node " + replacement + " already");
        }
        if (!view.takesMore(replacement)) {
            return new Verdict.Refuse(Refusal.of(Refusal.Code.NODE_TAKES_NO_REPLICAS, replacement));
        }
        NodeState before = view.map().node(nodeId).orElseThrow().state();
        if (before != NodeState.DECOMMISSIONING && !before.mayBecome(NodeState.DECOMMISSIONING)) {
            return new Verdict.Refuse(
                    Refusal.of(Refusal.Code.NODE_HAS_NO_REPLICAS, nodeId, before.word()));
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
                    Refusal.of(
                            Refusal.Code.REPLACEMENT_HAS_NO_ROOM,
                            replacement,
                            Math.max(0, room),
                            nodeId,
                            held));
        }
        if (shared > 0 && othersThatTakeMore(view, nodeId) < view.policy().replicas()) {
            return new Verdict.Refuse(
                    Refusal.of(Refusal.Code.REPLACEMENT_IS_MEMBER, replacement, shared));
        }
        List<String> effects = new ArrayList<>();
        effects.add(becomes(nodeId, before, NodeState.DECOMMISSIONING));
        effects.add("node " + replacement + " gets " + (held - shared) + " of its replicas");
        if (shared > 0) {
            effects.add(
                    "other nodes get "
                            + shared
                            + ", of ranges of which node "
                            + replacement
                            + " is a member already");
        }
        effects.add("it leaves the cluster for good once it holds nothing");
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
            return Verdict.Do.nothing("node " + nodeId + " is " + state.word() + " already");
        }
        if (before != state && !before.mayBecome(state)) {
            return new Verdict.Refuse(
                    Refusal.of(Refusal.Code.NODE_STATE, nodeId, before.word(), state.word()));
        }
        int held = view.map().ranges().onNode(nodeId).size();
        if (replicas && held > 0) {
            long others = othersThatTakeMore(view, nodeId);
            if (others < view.policy().replicas()) {
                return new Verdict.Refuse(
                        Refusal.of(Refusal.Code.TOO_FEW_NODES, others, view.policy().replicas()));
            }
        }
        List<String> effects = new ArrayList<>();
        effects.add(becomes(nodeId, before, state));
        if (state != NodeState.ACTIVE) {
            effects.add("it transfers the leadership of " + count(leads(view, nodeId), "range"));
        }
        if (replicas) {
            effects.add("it gives away " + count(held, "replica"));
        }
        if (state == NodeState.DECOMMISSIONING) {
            effects.add("it leaves the cluster for good once it holds nothing");
        }
        return new Verdict.Do(
                List.of(new MapCommand.SetNodeState(nodeId, state)), Optional.empty(), effects);
    }

    private static Verdict unknown(NodeId nodeId) {
        return new Verdict.NotFound(Refusal.of(Refusal.Code.NODE_DOES_NOT_EXIST, nodeId));
    }

    /** In the words that a list of nodes has for its states. */
    private static String becomes(NodeId nodeId, NodeState before, NodeState after) {
        return "node "
                + nodeId
                + " goes into state '"
                + after.word()
                + "' (is '"
                + before.word()
                + "')";
    }

    private static String count(long number, String one) {
        return number + " " + one + (number == 1 ? "" : "s");
    }

    private static long leads(ClusterView view, NodeId nodeId) {
        return view.map().ranges().onNode(nodeId).stream()
                .filter(rangeId -> view.leader(rangeId).filter(nodeId::equals).isPresent())
                .count();
    }

    /** Leave to take a node down, if every range on it does without. */
    public static Verdict takeDisruptionLease(
            ClusterView view, NodeId nodeId, Duration length, String reason) {
        if (length.isNegative() || length.isZero() || length.compareTo(DISRUPTION_MAX) > 0) {
            return new Verdict.Invalid(
                    Refusal.of(
                            Refusal.Code.SECONDS, length.toSeconds(), DISRUPTION_MAX.toSeconds()));
        }
        if (reason.length() > DisruptionLease.REASON_LENGTH_MAX) {
            return new Verdict.Invalid(
                    Refusal.of(
                            Refusal.Code.REASON_LENGTH,
                            reason.length(),
                            DisruptionLease.REASON_LENGTH_MAX));
        }
        if (view.map().node(nodeId).isEmpty()) {
            return unknown(nodeId);
        }
        Optional<NodeId> other = view.onLeave().filter(holder -> !holder.equals(nodeId));
        if (other.isPresent()) {
            return new Verdict.Refuse(Refusal.of(Refusal.Code.DISRUPTION_PERMIT_HELD, other.get()));
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
                        Refusal.of(
                                Refusal.Code.RANGE_WOULD_STAND_STILL,
                                rangeId,
                                left,
                                range.members().size()));
            }
        }
        return Verdict.Do.command(
                new MapCommand.TakeDisruptionLease(
                        new DisruptionLease(nodeId, view.now().plus(length), reason), view.now()),
                "node " + nodeId + " may be down for " + length.toSeconds() + " s",
                "it transfers the leadership of " + count(leads(view, nodeId), "range"));
    }

    public static Verdict returnDisruptionLease(ClusterView view, NodeId nodeId) {
        if (view.map().node(nodeId).isEmpty()) {
            return unknown(nodeId);
        }
        if (view.onLeave().filter(nodeId::equals).isEmpty()) {
            return Verdict.Do.nothing("node " + nodeId + " does not hold the disruption permit");
        }
        return Verdict.Do.command(
                new MapCommand.ReturnDisruptionLease(nodeId),
                "node " + nodeId + " no longer holds the disruption permit");
    }
}

package io.parterre.manager.plan.progress;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Optional;

/**
 * The progress of a move, judged by the map and the reports alone, because a new leader has nothing
 * else. Stateless and thread-safe.
 */
public sealed interface MoveProgress {
    /** The range has the intended members. */
    record Done() implements MoveProgress {}

    /** The move cannot be finished, or is not needed any more. */
    record Pointless(Reason why) implements MoveProgress {}

    /** The move goes on. */
    record Going(Step step) implements MoveProgress {}

    /** What the move waits for. */
    enum Step {
        /**
         * The move is being given up. First the range's generation is raised. Otherwise an addition
         * that is still in flight would bring in a replica that the map does not expect.
         */
        ABANDON,
        /** The node to add still holds the damaged replica that was removed from the group. */
        DISCARD,
        /** The node to add holds no replica yet. */
        JOIN,
        /** The node to add holds a replica, and is no member yet. */
        ADD,
        /** The node to add is a member, and has not received the data yet. */
        CATCH_UP,
        /** The node to remove leads. */
        TRANSFER_LEAD,
        /** The node to remove is still a member. */
        REMOVE,
        /** Too few members are healthy for the next step. */
        MAJORITY
    }

    static MoveProgress of(ClusterView view, Move move) {
        RangeDescriptor range = view.map().ranges().find(move.rangeId()).orElseThrow();
        return move.rebuilds() ? rebuilding(view, move, range) : changing(view, move, range);
    }

    private static MoveProgress rebuilding(ClusterView view, Move move, RangeDescriptor range) {
        NodeId node = move.add().orElseThrow();
        boolean member = range.members().contains(node);
        Health health = view.health(range.rangeId(), node);
        boolean damaged = view.damage(node, range.rangeId()).isPresent();
        if (member && health == Health.HEALTHY && !damaged) {
            return new Done();
        }
        if (member && health == Health.DEAD) {
            return new Pointless(ReasonCode.NODE_IS_DEAD.of(node));
        }
        if (member && (health == Health.LOST || damaged)) {
            int left = range.members().size() - 1;
            int healthy = view.healthy(range) - (health == Health.HEALTHY ? 1 : 0);
            if (health == Health.HEALTHY && healthy < majority(left)) {
                // The damaged replica still serves, and nothing has changed yet. Another member has
                // to be repaired first.
                return new Pointless(ReasonCode.FEW_ARE_HEALTHY_WITHOUT.of(node));
            }
            if (healthy < majority(left) || left == 0) {
                return new Going(Step.MAJORITY);
            }
            // A replica with a damaged log may still lead.
            return new Going(leads(view, range, node) ? Step.TRANSFER_LEAD : Step.REMOVE);
        }
        if (member) {
            return new Going(Step.CATCH_UP);
        }
        // The removal of the damaged replica was the first change, so this is the second.
        Generation abandonedAt = move.decidedAt().next().next();
        return joining(view, move, range, abandonedAt, Optional.empty());
    }

    private static MoveProgress changing(ClusterView view, Move move, RangeDescriptor range) {
        boolean toJoin = move.add().filter(node -> !range.members().contains(node)).isPresent();
        boolean toLeave = move.remove().filter(range.members()::contains).isPresent();
        if (!toJoin && !toLeave) {
            return new Done();
        }
        if (toJoin) {
            return joining(view, move, range, move.decidedAt().next(), notNeeded(view, move));
        }
        return leaving(view, move, range);
    }

    private static Optional<Reason> notNeeded(ClusterView view, Move move) {
        NodeId add = move.add().orElseThrow();
        if (move.reason() != MoveReason.OPERATOR
                && view.map().node(add).filter(node -> node.state().takesMore()).isEmpty()) {
            return Optional.of(ReasonCode.NODE_GETS_NOTHING.of(add));
        }
        if (move.reason() == MoveReason.MERGE && !servesAMerge(view, move)) {
            return Optional.of(ReasonCode.MERGE_IS_GIVEN_UP.of());
        }
        if (move.remove().isEmpty()) {
            return Optional.empty();
        }
        NodeId remove = move.remove().get();
        if (move.reason() == MoveReason.REPAIR
                && view.health(move.rangeId(), remove) == Health.HEALTHY
                && view.damage(remove, move.rangeId()).isEmpty()) {
            return Optional.of(ReasonCode.NODE_IS_BACK.of(remove));
        }
        NodeState state =
                view.map().node(remove).map(node -> node.state()).orElse(NodeState.REMOVED);
        if (move.reason() == MoveReason.DRAIN
                && !state.givesReplicas()
                && view.liveness(remove) == Liveness.UP
                && !view.isDiskFull(remove)) {
            return Optional.of(ReasonCode.NODE_DRAINS_NO_MORE.of(remove));
        }
        return Optional.empty();
    }

    private static boolean servesAMerge(ClusterView view, Move move) {
        return view.map()
                .merge(move.rangeId())
                .filter(merge -> merge.rightId().equals(move.rangeId()))
                .filter(merge -> merge.abandoned().isEmpty())
                .isPresent();
    }

    /**
     * Returns the progress of a move whose new replica is no member.
     *
     * @param abandonedAt generation of the range once the move is given up
     */
    private static MoveProgress joining(
            ClusterView view,
            Move move,
            RangeDescriptor range,
            Generation abandonedAt,
            Optional<Reason> notNeeded) {
        NodeId add = move.add().orElseThrow();
        if (range.generation().compareTo(abandonedAt) >= 0) {
            return new Pointless(notNeeded.orElseGet(() -> ReasonCode.NODE_DID_NOT_JOIN.of(add)));
        }
        Duration age = Duration.between(move.begun(), view.now());
        if (notNeeded.isPresent()
                || view.liveness(add) == Liveness.DEAD
                // The node's store may wait for this range to be repaired.
                || view.damage(add).isPresent()
                || age.compareTo(view.policy().moveGiveUpAfter()) > 0) {
            return new Going(Step.ABANDON);
        }
        Optional<NodeReport.Replica> held = view.replica(add, move.rangeId());
        if (held.isEmpty()) {
            return new Going(Step.JOIN);
        }
        if (move.rebuilds() && held.get().generation().compareTo(move.decidedAt()) <= 0) {
            // The replica is from before its removal. A replica that joins has a later generation.
            return new Going(Step.DISCARD);
        }
        // A replica that joins may become a member at any moment and must not be lost then. So for
        // a damaged one the move is abandoned first.
        return new Going(held.get().damage().isPresent() ? Step.ABANDON : Step.ADD);
    }

    private static MoveProgress leaving(ClusterView view, Move move, RangeDescriptor range) {
        RangeId rangeId = range.rangeId();
        NodeId remove = move.remove().orElseThrow();
        Health newHealth = move.add().map(add -> view.health(rangeId, add)).orElse(Health.HEALTHY);
        Health oldHealth = view.health(rangeId, remove);
        if (newHealth.isGone()) {
            // The next plan decides what is needed now.
            return new Pointless(ReasonCode.NODE_IS_GONE_AGAIN.of(move.add().orElseThrow()));
        }
        if (newHealth != Health.HEALTHY && oldHealth == Health.HEALTHY) {
            return new Going(Step.CATCH_UP);
        }
        int left = view.healthy(range) - (oldHealth == Health.HEALTHY ? 1 : 0);
        int members = range.members().size() - 1;
        if (members == 0 || left < majority(members)) {
            return new Going(Step.MAJORITY);
        }
        return new Going(leads(view, range, remove) ? Step.TRANSFER_LEAD : Step.REMOVE);
    }

    private static boolean leads(ClusterView view, RangeDescriptor range, NodeId node) {
        return view.leader(range.rangeId()).filter(node::equals).isPresent();
    }
}

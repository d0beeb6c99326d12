package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.DeadRange;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.map.Recovery;
import io.parterre.manager.plan.progress.MergeProgress;
import io.parterre.manager.plan.progress.ReportedSplitPoints;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Judges whether a range may go on from one node's replica because the majority of its members is
 * lost for good, and lists what is lost. Stateless and thread-safe.
 */
public final class RangeRecovery {
    private RangeRecovery() {}

    /**
     * What is known, and what would be done.
     *
     * @param replicas of all members, and of other nodes that hold one
     * @param survivor node from whose replica the range would go on; empty if there is none
     * @param losses sentences: what is lost, or may be
     * @param verdict on the request, once the loss is accepted
     */
    public record Survey(
            RangeDescriptor range,
            List<HeldReplica> replicas,
            Optional<NodeId> survivor,
            List<String> losses,
            Verdict verdict) {
        public Survey {
            replicas = List.copyOf(replicas);
            losses = List.copyOf(losses);
        }
    }

    /**
     * Judges an operator's request for a recovery.
     *
     * @param from node from whose replica the range goes on; empty for the one with the furthest
     *     log
     * @param lossAccepted whether the operator accepts the loss
     */
    public static Verdict recover(
            ClusterView view, RangeId rangeId, Optional<NodeId> from, boolean lossAccepted) {
        Optional<Survey> survey = survey(view, rangeId, from);
        if (survey.isEmpty()) {
            // A repeated request whose first answer was lost finds the recovery done.
            return view.map().isRetired(rangeId)
                    ? Verdict.Do.nothing(whyUnknown(view, rangeId))
                    : new Verdict.NotFound(whyUnknown(view, rangeId));
        }
        boolean dares = survey.get().verdict() instanceof Verdict.Do;
        return !dares || lossAccepted ? survey.get().verdict() : notAccepted(survey.get());
    }

    private static Verdict notAccepted(Survey survey) {
        return new Verdict.Refuse(
                ReasonCode.LOSS_NOT_ACCEPTED.of(
                        survey.range().rangeId(),
                        survey.survivor().orElseThrow(),
                        String.join("; ", survey.losses())));
    }

    /** Returns why no range has this id. */
    public static Reason whyUnknown(ClusterView view, RangeId rangeId) {
        Optional<DeadRange> dead = view.map().dead(rangeId);
        if (dead.isEmpty()) {
            return ReasonCode.RANGE_DOES_NOT_EXIST.of(rangeId);
        }
        if (!dead.get().recovered()) {
            return ReasonCode.RANGE_WAS_ABSORBED.of(rangeId, dead.get().successorId());
        }
        return view.map().recoveries().stream()
                .filter(recovery -> recovery.lostId().equals(rangeId))
                .findFirst()
                .map(recovery -> ReasonCode.RANGE_IS_RECOVERED_AS.of(rangeId, recovery.rangeId()))
                .orElseGet(() -> ReasonCode.RANGE_WAS_RECOVERED.of(rangeId));
    }

    /** Examines the range; empty if it does not exist. */
    public static Optional<Survey> survey(
            ClusterView view, RangeId rangeId, Optional<NodeId> from) {
        return view.map().ranges().find(rangeId).map(range -> survey(view, range, from));
    }

    private static Survey survey(ClusterView view, RangeDescriptor range, Optional<NodeId> from) {
        RangeId held =
                view.map().recovery(range.rangeId()).map(Recovery::lostId).orElse(range.rangeId());
        List<HeldReplica> replicas = replicas(view, range, held);
        Optional<HeldReplica> survivor =
                replicas.stream()
                        .filter(each -> each.unfit().isEmpty())
                        .filter(each -> from.map(each.nodeId()::equals).orElse(true))
                        .max(FURTHEST);
        Optional<Reason> refusal =
                whyNot(view, range)
                        .or(() -> survivor.isPresent() ? Optional.empty() : nobody(replicas, from));
        Optional<Verdict> verdict = refusal.<Verdict>map(Verdict.Refuse::new);
        return new Survey(
                range,
                replicas,
                survivor.map(HeldReplica::nodeId),
                survivor.map(each -> losses(range, replicas, each)).orElse(List.of()),
                verdict.orElseGet(() -> recovering(view, range, survivor.orElseThrow())));
    }

    /**
     * The replica with the furthest log, as in an election; of equal logs a member's, then the
     * lowest id.
     */
    private static final Comparator<HeldReplica> FURTHEST =
            Comparator.comparing((HeldReplica each) -> each.log().orElseThrow())
                    .thenComparing(HeldReplica::member)
                    .thenComparing(HeldReplica::nodeId, Comparator.reverseOrder());

    /** Returns the replicas of the members, then those of other nodes. */
    private static List<HeldReplica> replicas(
            ClusterView view, RangeDescriptor range, RangeId held) {
        List<HeldReplica> replicas = new ArrayList<>();
        for (NodeId member : range.members()) {
            replicas.add(HeldReplica.of(view, held, member, true));
        }
        for (ClusterNode node : view.map().nodes()) {
            if (!range.members().contains(node.nodeId()) && node.state() != NodeState.REMOVED) {
                HeldReplica other = HeldReplica.of(view, held, node.nodeId(), false);
                if (other.replica().isPresent()) {
                    replicas.add(other);
                }
            }
        }
        return replicas;
    }

    /**
     * Returns why the range needs no recovery, or must not be recovered yet; empty if it may be.
     */
    private static Optional<Reason> whyNot(ClusterView view, RangeDescriptor range) {
        RangeId rangeId = range.rangeId();
        if (!view.map().isConfirmed(rangeId)) {
            return Optional.of(ReasonCode.RANGE_IS_FOUNDED.of(rangeId));
        }
        Optional<NodeId> leader = view.leader(rangeId);
        if (leader.isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_LED.of(rangeId, leader.get()));
        }
        Optional<Merge> claimed =
                view.map()
                        .merge(rangeId)
                        .filter(merge -> merge.rightId().equals(rangeId))
                        .filter(merge -> MergeProgress.mayTakeEffect(view.map(), merge));
        if (claimed.isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_CLAIMED.of(claimed.get().leftId(), rangeId));
        }
        Optional<Recovery> recovery = view.map().recovery(rangeId);
        if (recovery.isPresent()) {
            return underWay(view, recovery.get());
        }
        return majorityLeft(view, range, range.members())
                .flatMap(
                        left ->
                                // A member that is being added may already count in the range's
                                // log.
                                view.map()
                                        .move(rangeId)
                                        .flatMap(Move::add)
                                        .filter(added -> !range.members().contains(added))
                                        .map(added -> majorityLeft(view, range, with(range, added)))
                                        .orElse(Optional.of(left)));
    }

    /**
     * Returns why a recovery in progress is not begun again; empty if its survivor cannot complete
     * it.
     */
    private static Optional<Reason> underWay(ClusterView view, Recovery recovery) {
        NodeId survivor = recovery.survivor();
        boolean failed =
                switch (view.liveness(survivor)) {
                    case DEAD -> true;
                    case SUSPECT -> false;
                    case UP -> isInVain(view, recovery);
                };
        return failed
                ? Optional.empty()
                : Optional.of(
                        ReasonCode.RANGE_IS_RECOVERED_ALREADY.of(
                                recovery.rangeId(), survivor, view.liveness(survivor)));
    }

    /** Returns whether the survivor reports that the range cannot go on from its replica. */
    private static boolean isInVain(ClusterView view, Recovery recovery) {
        NodeId survivor = recovery.survivor();
        Optional<NodeReport.Replica> held =
                view.replica(survivor, recovery.rangeId())
                        .or(() -> view.replica(survivor, recovery.lostId()));
        return view.damage(survivor).isPresent()
                || held.map(replica -> replica.damage().isPresent() || replica.joining())
                        .orElseGet(() -> view.health(recovery.rangeId(), survivor) == Health.LOST);
    }

    private static List<NodeId> with(RangeDescriptor range, NodeId added) {
        List<NodeId> more = new ArrayList<>(range.members());
        more.add(added);
        return more;
    }

    /** Returns the members that could still be a majority; empty if the majority is lost. */
    private static Optional<Reason> majorityLeft(
            ClusterView view, RangeDescriptor range, List<NodeId> members) {
        List<String> left = new ArrayList<>();
        for (NodeId member : members) {
            Health health = view.health(range.rangeId(), member);
            if (!health.isGone()) {
                left.add(member + " (" + health + ")");
            }
        }
        return left.size() < majority(members.size())
                ? Optional.empty()
                : Optional.of(
                        ReasonCode.MAJORITY_IS_ALIVE.of(
                                range.rangeId(),
                                String.join(", ", left),
                                members.size(),
                                view.policy().deadAfter().toSeconds()));
    }

    private static Optional<Reason> nobody(List<HeldReplica> replicas, Optional<NodeId> from) {
        if (from.isPresent()) {
            Reason why =
                    replicas.stream()
                            .filter(each -> each.nodeId().equals(from.get()))
                            .findFirst()
                            .flatMap(HeldReplica::unfit)
                            .orElseGet(ReasonCode.NODE_HOLDS_NONE::of);
            return Optional.of(ReasonCode.REPLICA_IS_OF_NO_USE.of(from.get(), why));
        }
        return Optional.of(ReasonCode.NO_REPLICA_IS_LEFT.of());
    }

    private static List<String> losses(
            RangeDescriptor range, List<HeldReplica> replicas, HeldReplica survivor) {
        List<String> losses = new ArrayList<>();
        NodeReport.LogEnd end = survivor.log().orElseThrow();
        long tail = end.lastIndex() - survivor.replica().orElseThrow().appliedIndex();
        if (tail > 0) {
            losses.add(
                    "the last "
                            + tail
                            + " entries in the log of node "
                            + survivor.nodeId()
                            + " are not known to be acknowledged, and are kept");
        }
        for (HeldReplica other : replicas) {
            if (other.equals(survivor) || !other.member() && other.unfit().isPresent()) {
                continue;
            }
            losses.add(other.log().map(log -> loss(other, log, end)).orElseGet(() -> loss(other)));
        }
        if (range.members().size() > 1) {
            losses.add(
                    "what the other members acknowledged without node "
                            + survivor.nodeId()
                            + ", and what they alone held, is lost");
        }
        return losses;
    }

    private static String loss(
            HeldReplica other, NodeReport.LogEnd log, NodeReport.LogEnd survivor) {
        String known =
                "node "
                        + other.nodeId()
                        + ", last heard "
                        + seconds(other.silent())
                        + " ago, held a log up to entry "
                        + log.lastIndex()
                        + " of term "
                        + log.lastTerm();
        if (log.compareTo(survivor) <= 0) {
            return known + ", which is not further";
        }
        long more = log.lastIndex() - survivor.lastIndex();
        return known
                + (more > 0
                        ? ": at least " + more + " entries are lost"
                        : ": entries of that term are lost");
    }

    private static String loss(HeldReplica other) {
        return "of what node "
                + other.nodeId()
                + " held nothing is known"
                + (other.silent().isPresent()
                        ? ", last heard " + seconds(other.silent()) + " ago"
                        : "");
    }

    private static String seconds(Optional<Duration> silent) {
        return silent.map(each -> each.toSeconds() + " s").orElse("unknown time");
    }

    private static Verdict recovering(
            ClusterView view, RangeDescriptor range, HeldReplica survivor) {
        NodeReport.Replica replica = survivor.replica().orElseThrow();
        RangeId rangeId = range.rangeId();
        List<MapCommand> commands = new ArrayList<>();
        List<Reason> effects = new ArrayList<>();
        Generation decidedAt = range.generation();
        Optional<KeyRange> bounds = replica.bounds().filter(known -> !known.equals(range.bounds()));
        if (bounds.isPresent()) {
            // The range was split or merged, and no leader was left to report it.
            Optional<Untold> untold =
                    unreportedSplit(view, range, survivor).or(() -> join(view, range, replica));
            if (untold.isEmpty()) {
                return new Verdict.Refuse(
                        ReasonCode.REPLICA_HAS_OTHER_BOUNDS.of(
                                survivor.nodeId(), bounds.get(), range.bounds()));
            }
            commands.add(untold.get().command());
            effects.add(untold.get().effect());
            decidedAt = replica.generation();
        }
        RangeId successor = view.map().nextRangeId();
        commands.add(
                new MapCommand.RecoverRange(
                        rangeId,
                        decidedAt,
                        successor,
                        later(decidedAt, replica.generation()).next(),
                        survivor.nodeId(),
                        view.now()));
        effects.add(ReasonCode.RANGE_TAKES_PLACE.of(successor, rangeId, survivor.nodeId()));
        effects.add(ReasonCode.OTHERS_GIVE_UP.of(rangeId));
        effects.add(ReasonCode.RANGE_GROWS.of(successor, view.policy().replicas()));
        return new Verdict.Do(commands, Optional.empty(), effects);
    }

    /** A change of the range's bounds that the map does not hold yet. */
    private record Untold(MapCommand command, Reason effect) {}

    private static Optional<Untold> unreportedSplit(
            ClusterView view, RangeDescriptor range, HeldReplica survivor) {
        NodeReport.Replica replica = survivor.replica().orElseThrow();
        return view.map()
                .split(range.rangeId())
                .filter(split -> wasSplit(range, replica.bounds().orElseThrow(), replica))
                .flatMap(
                        split ->
                                view.report(survivor.nodeId())
                                        .flatMap(
                                                report ->
                                                        ReportedSplitPoints.of(
                                                                view,
                                                                split,
                                                                range.bounds(),
                                                                replica,
                                                                report))
                                        .map(
                                                splitPoints ->
                                                        new MapCommand.CompleteSplit(
                                                                split,
                                                                splitPoints,
                                                                replica.generation(),
                                                                replica.members())))
                .map(
                        unreported ->
                                new Untold(
                                        unreported,
                                        ReasonCode.CHILD_BECOMES_KNOWN.of(
                                                text(unreported.childIds()))));
    }

    private static String text(List<RangeId> ranges) {
        return String.join(", ", ranges.stream().map(RangeId::toString).toList());
    }

    private static Optional<Untold> join(
            ClusterView view, RangeDescriptor range, NodeReport.Replica replica) {
        return view.map()
                .merge(range.rangeId())
                .filter(merge -> merge.leftId().equals(range.rangeId()))
                .filter(merge -> !replica.members().isEmpty())
                .flatMap(merge -> Upkeep.joined(view, merge, replica))
                .map(
                        join ->
                                new Untold(
                                        join,
                                        ReasonCode.RANGE_IS_ABSORBED.of(join.merge().rightId())));
    }

    private static boolean wasSplit(
            RangeDescriptor range, KeyRange bounds, NodeReport.Replica replica) {
        return bounds.start().equals(range.bounds().start())
                && range.bounds().contains(bounds)
                && replica.generation().compareTo(range.generation()) > 0
                && !replica.members().isEmpty();
    }

    private static Generation later(Generation one, Generation other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}

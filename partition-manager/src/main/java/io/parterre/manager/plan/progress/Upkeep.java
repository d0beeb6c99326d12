package io.parterre.manager.plan.progress;

import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveEnd;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.map.Recovery;
import io.parterre.manager.map.Split;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides which entries of the map are to be ended: new ranges that have served, moves that are
 * done or pointless, splits and merges that are over, nodes that hold nothing. Stateless and
 * thread-safe.
 */
public final class Upkeep {
    private Upkeep() {}

    /** A change of the map that is due. */
    public record Chore(MapCommand command, Reason why) {}

    public static List<Chore> due(ClusterView view) {
        List<Chore> due = new ArrayList<>();
        for (RangeId rangeId : view.map().unconfirmed()) {
            view.map()
                    .ranges()
                    .find(rangeId)
                    .filter(range -> hasServed(view, range))
                    .ifPresent(
                            range ->
                                    due.add(
                                            new Chore(
                                                    new MapCommand.ConfirmRange(rangeId),
                                                    ReasonCode.MEMBERS_HAVE_REPORTED.of())));
        }
        for (Move move : view.map().moves()) {
            MoveProgress progress = MoveProgress.of(view, move);
            if (progress instanceof MoveProgress.Done) {
                due.add(
                        new Chore(
                                new MapCommand.EndMove(move, MoveEnd.DONE), ReasonCode.DONE.of()));
            } else if (progress instanceof MoveProgress.Pointless pointless) {
                due.add(new Chore(new MapCommand.EndMove(move, MoveEnd.GIVEN_UP), pointless.why()));
            }
        }
        for (Split split : view.map().splits()) {
            SplitProgress progress = SplitProgress.of(view, split);
            if (progress instanceof SplitProgress.Over) {
                due.add(
                        new Chore(
                                new MapCommand.EndSplit(split),
                                split.abandoned()
                                        .orElseGet(ReasonCode.RANGE_CHANGED_OTHERWISE::of)));
            } else if (progress instanceof SplitProgress.Impossible hopeless) {
                due.add(
                        new Chore(
                                new MapCommand.AbandonSplit(split, hopeless.why()),
                                hopeless.why()));
            }
        }
        for (Merge merge : view.map().merges()) {
            MergeProgress progress = MergeProgress.of(view, merge);
            if (progress instanceof MergeProgress.Over) {
                due.add(
                        new Chore(
                                new MapCommand.EndMerge(merge),
                                merge.abandoned().orElseGet(ReasonCode.UNDONE_OR_CHANGED::of)));
            } else if (progress instanceof MergeProgress.Impossible hopeless) {
                due.add(
                        new Chore(
                                new MapCommand.AbandonMerge(merge, hopeless.why()),
                                hopeless.why()));
            }
        }
        for (Recovery recovery : view.map().recoveries()) {
            if (view.leader(recovery.rangeId()).isPresent()) {
                due.add(
                        new Chore(
                                new MapCommand.EndRecovery(recovery),
                                ReasonCode.RANGE_HAS_LEADER.of(recovery.rangeId())));
            }
        }
        for (ClusterNode node : view.map().nodes()) {
            if (node.state() == NodeState.DECOMMISSIONING && holdsNothing(view, node.nodeId())) {
                due.add(
                        new Chore(
                                new MapCommand.SetNodeState(node.nodeId(), NodeState.REMOVED),
                                ReasonCode.NODE_HOLDS_NOTHING.of()));
            }
        }
        return due;
    }

    /**
     * Returns whether a majority is healthy and no member is still awaited. Members that died or
     * lost their data meanwhile are not waited for.
     */
    private static boolean hasServed(ClusterView view, RangeDescriptor range) {
        return view.healthy(range) >= ClusterView.majority(range.members().size())
                && range.members().stream()
                        .map(member -> view.health(range.rangeId(), member))
                        .allMatch(health -> health == Health.HEALTHY || health.isGone());
    }

    private static boolean holdsNothing(ClusterView view, NodeId nodeId) {
        return view.map().ranges().onNode(nodeId).isEmpty()
                && view.map().moves().stream().noneMatch(move -> move.concerns(nodeId))
                // Otherwise its last replicas would never be removed.
                && view.report(nodeId).filter(report -> !report.replicas().isEmpty()).isEmpty()
                && view.liveness(nodeId) != Liveness.SUSPECT;
    }

    /**
     * Returns the updates of the map that follow from a node's report: ranges that the node leads
     * and whose members or bounds have changed.
     */
    public static List<News> news(ClusterView view, NodeReport report) {
        List<News> news = new ArrayList<>();
        for (NodeReport.Replica replica : report.replicas()) {
            if (!replica.leading() || replica.members().isEmpty()) {
                continue;
            }
            view.map()
                    .ranges()
                    .find(replica.rangeId())
                    .filter(known -> known.generation().compareTo(replica.generation()) < 0)
                    // Without reported bounds, a range that may have grown is not assumed
                    // unchanged.
                    .filter(known -> replica.bounds().isPresent() || !mayGrow(view, known))
                    .filter(known -> !lacksSplitPoints(view, known, replica, report))
                    .ifPresent(
                            known ->
                                    news.add(
                                            new News(known, change(view, known, replica, report))));
        }
        return news;
    }

    /**
     * A range whose leader reports another descriptor than the map's.
     *
     * @param known the map's descriptor
     * @param command updates the map; empty if no known operation explains the difference
     */
    public record News(RangeDescriptor known, Optional<MapCommand> command) {}

    /**
     * Returns whether the range was split in several and not all split points are reported yet.
     * They soon will be.
     */
    private static boolean lacksSplitPoints(
            ClusterView view,
            RangeDescriptor known,
            NodeReport.Replica replica,
            NodeReport report) {
        return hasOtherBounds(known, replica)
                && view.map()
                        .split(known.rangeId())
                        .filter(
                                split ->
                                        ReportedSplitPoints.of(
                                                        view,
                                                        split,
                                                        known.bounds(),
                                                        replica,
                                                        report)
                                                .isEmpty())
                        .isPresent();
    }

    private static boolean hasOtherBounds(RangeDescriptor known, NodeReport.Replica replica) {
        return replica.bounds().filter(bounds -> !bounds.equals(known.bounds())).isPresent();
    }

    private static Optional<MapCommand> change(
            ClusterView view,
            RangeDescriptor known,
            NodeReport.Replica replica,
            NodeReport report) {
        if (!hasOtherBounds(known, replica)) {
            return Optional.of(
                    new MapCommand.UpdateRange(
                            known.rangeId(),
                            known.generation(),
                            replica.generation(),
                            replica.members()));
        }
        if (mayGrow(view, known)) {
            Merge merge = view.map().merge(known.rangeId()).orElseThrow();
            return joined(view, merge, replica).map(join -> join);
        }
        return view.map()
                .split(known.rangeId())
                .flatMap(
                        split ->
                                ReportedSplitPoints.of(view, split, known.bounds(), replica, report)
                                        .map(
                                                splitPoints ->
                                                        new MapCommand.CompleteSplit(
                                                                split,
                                                                splitPoints,
                                                                replica.generation(),
                                                                replica.members())));
    }

    /** Returns whether the range is to absorb its right neighbour. */
    private static boolean mayGrow(ClusterView view, RangeDescriptor range) {
        return view.map()
                .merge(range.rangeId())
                .filter(merge -> merge.leftId().equals(range.rangeId()))
                .isPresent();
    }

    /**
     * Returns the command that completes the merge, if a replica of its left range reports the
     * joined bounds; empty if the merge could not take effect any more.
     */
    public static Optional<MapCommand.JoinRanges> joined(
            ClusterView view, Merge merge, NodeReport.Replica replica) {
        RangeDescriptor left = view.map().ranges().find(merge.leftId()).orElseThrow();
        RangeDescriptor right = view.map().ranges().find(merge.rightId()).orElseThrow();
        KeyRange joined = new KeyRange(left.bounds().start(), right.bounds().endExclusive());
        boolean believed =
                replica.bounds().filter(joined::equals).isPresent()
                        && MergeProgress.mayTakeEffect(view.map(), merge)
                        && replica.generation().compareTo(right.generation()) > 0;
        return believed
                ? Optional.of(
                        new MapCommand.JoinRanges(merge, replica.generation(), replica.members()))
                : Optional.empty();
    }
}

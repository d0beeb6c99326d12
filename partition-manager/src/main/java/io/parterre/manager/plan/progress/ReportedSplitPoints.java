package io.parterre.manager.plan.progress;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.Split;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a range was split, by the nodes' reports: each child begins where the previous one ends. A
 * child that the map does not hold yet is unchanged since the split in any node's report, because
 * no node gets an order about it. Stateless and thread-safe.
 */
public final class ReportedSplitPoints {
    private ReportedSplitPoints() {}

    /**
     * Returns the first keys of all children; empty if the end of some child is not reported yet.
     *
     * @param before bounds of the range when the split began
     * @param parent the range's own replica, whose bounds end sooner now
     * @param report the report that contains this replica; may be later than those of the view
     */
    public static Optional<List<Key>> of(
            ClusterView view,
            Split split,
            KeyRange before,
            NodeReport.Replica parent,
            NodeReport report) {
        List<Key> splitPoints = new ArrayList<>();
        Key start = parent.bounds().orElseThrow().endExclusive();
        splitPoints.add(start);
        // The last child ends where the range ended.
        for (RangeId childId : split.childIds().subList(0, split.childIds().size() - 1)) {
            Optional<KeyRange> child = bounds(view, childId, parent, report);
            if (child.isEmpty() || !child.get().start().equals(start)) {
                return Optional.empty();
            }
            start = child.get().endExclusive();
            if (start.equals(before.endExclusive())) {
                return Optional.of(splitPoints);
            }
            splitPoints.add(start);
        }
        return Optional.of(splitPoints);
    }

    private static Optional<KeyRange> bounds(
            ClusterView view, RangeId childId, NodeReport.Replica parent, NodeReport report) {
        Generation born = parent.generation();
        Stream<NodeReport.Replica> others =
                parent.members().stream().flatMap((NodeId node) -> told(view, node, childId));
        return Stream.concat(report.replica(childId).stream(), others)
                .filter(replica -> replica.generation().equals(born))
                .flatMap(replica -> replica.bounds().stream())
                .findFirst();
    }

    private static Stream<NodeReport.Replica> told(ClusterView view, NodeId node, RangeId childId) {
        return view.report(node).flatMap(report -> report.replica(childId)).stream();
    }
}

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
 * Where a range was split, by the word of nodes: each child begins where the one before it ends. A
 * child of which the map does not know is as it was born, in the report of any node: nobody is
 * ordered to do anything about it. Stateless; safe for any thread.
 */
public final class ReportedSplitPoints {
    private ReportedSplitPoints() {}

    /**
     * First keys of all children.
     *
     * @param before bounds of the range when it was begun to be split
     * @param splitPoint its own replica, whose bounds end sooner
     * @param report tells of that one, and may be later than those of the view
     * @return empty: of some child nobody has told yet where it ends
     */
    public static Optional<List<Key>> of(
            ClusterView view,
            Split split,
            KeyRange before,
            NodeReport.Replica splitPoint,
            NodeReport report) {
        List<Key> splitPoints = new ArrayList<>();
        Key start = splitPoint.bounds().orElseThrow().endExclusive();
        splitPoints.add(start);
        // The last one ends where the range ended.
        for (RangeId childId : split.childIds().subList(0, split.childIds().size() - 1)) {
            Optional<KeyRange> child = bounds(view, childId, splitPoint, report);
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
            ClusterView view, RangeId childId, NodeReport.Replica splitPoint, NodeReport report) {
        Generation born = splitPoint.generation();
        Stream<NodeReport.Replica> others =
                splitPoint.members().stream().flatMap((NodeId node) -> told(view, node, childId));
        return Stream.concat(report.replica(childId).stream(), others)
                .filter(replica -> replica.generation().equals(born))
                .flatMap(replica -> replica.bounds().stream())
                .findFirst();
    }

    private static Stream<NodeReport.Replica> told(ClusterView view, NodeId node, RangeId childId) {
        return view.report(node).flatMap(report -> report.replica(childId)).stream();
    }
}

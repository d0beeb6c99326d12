package io.parterre.manager.plan;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.Split;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a range was cut, by the word of nodes: each child begins where the one before it ends. A
 * child of which the map does not know is as it was born, whoever tells of it: nobody is ordered to
 * do anything about it. Stateless; safe for any thread.
 */
final class CutsTold {
    private CutsTold() {}

    /**
     * First keys of all children.
     *
     * @param before bounds of the range when it was begun to be cut
     * @param cut its own replica, whose bounds end sooner
     * @param report tells of that one, and may be later than those of the view
     * @return empty: of some child nobody has told yet where it ends
     */
    static Optional<List<Key>> of(
            ClusterView view,
            Split split,
            KeyRange before,
            NodeReport.Replica cut,
            NodeReport report) {
        List<Key> cuts = new ArrayList<>();
        Key end = cut.bounds().orElseThrow().endExclusive();
        for (RangeId childId : split.childIds()) {
            cuts.add(end);
            boolean last = cuts.size() == split.childIds().size();
            Optional<Key> childEnd =
                    last
                            ? Optional.of(before.endExclusive())
                            : bounds(view, childId, cut, report)
                                    .filter(
                                            bounds ->
                                                    bounds.start()
                                                            .equals(cuts.get(cuts.size() - 1)))
                                    .map(KeyRange::endExclusive);
            if (childEnd.isEmpty()) {
                return Optional.empty();
            }
            end = childEnd.get();
            if (end.equals(before.endExclusive())) {
                return Optional.of(cuts);
            }
        }
        return Optional.empty();
    }

    private static Optional<KeyRange> bounds(
            ClusterView view, RangeId childId, NodeReport.Replica cut, NodeReport report) {
        Generation born = cut.generation();
        Stream<NodeReport.Replica> others =
                cut.members().stream().flatMap((NodeId node) -> told(view, node, childId));
        return Stream.concat(report.replica(childId).stream(), others)
                .filter(replica -> replica.generation().equals(born))
                .flatMap(replica -> replica.bounds().stream())
                .findFirst();
    }

    private static Stream<NodeReport.Replica> told(ClusterView view, NodeId node, RangeId childId) {
        return view.report(node).flatMap(report -> report.replica(childId)).stream();
    }
}

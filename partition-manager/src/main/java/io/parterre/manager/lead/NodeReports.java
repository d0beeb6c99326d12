package io.parterre.manager.lead;

import io.parterre.manager.plan.ClusterView.Heard;
import io.parterre.manager.plan.NodeReport;
import io.parterre.range.NodeId;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The latest report of each node and when it came: what liveness and placement are judged by. Owned
 * by the loop's thread.
 */
final class NodeReports {
    private final Map<NodeId, Heard> byNode = new HashMap<>();

    void heard(NodeReport report, Instant at) {
        byNode.put(report.node().nodeId(), new Heard(report, at));
    }

    /** All of them, as they are at any time. */
    Map<NodeId, Heard> byNode() {
        return Collections.unmodifiableMap(byNode);
    }

    /** Nodes whose latest report came at this time or later. */
    List<NodeId> heardSince(Instant since) {
        return byNode.entrySet().stream()
                .filter(entry -> !entry.getValue().at().isBefore(since))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    void clear() {
        byNode.clear();
    }
}

package io.parterre.manager.lead;

import io.parterre.range.NodeId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The latest report of each node and when it came: what liveness and placement are judged by. Owned
 * by the loop's thread.
 */
final class NodeReports {
    record Heard(NodeReport report, Instant at) {}

    private final Map<NodeId, Heard> byNode = new HashMap<>();

    void heard(NodeReport report, Instant at) {
        byNode.put(report.node().nodeId(), new Heard(report, at));
    }

    Optional<Heard> latest(NodeId nodeId) {
        return Optional.ofNullable(byNode.get(nodeId));
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

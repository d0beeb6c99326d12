package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.plan.DiskPolicy;
import io.parterre.manager.plan.Heard;
import io.parterre.manager.plan.JournalNotes;
import io.parterre.manager.plan.Leaders;
import io.parterre.manager.plan.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevels;
import io.parterre.release.Release;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The latest report of each node and when it came: what liveness and placement are judged by. Owned
 * by the loop's thread.
 */
final class NodeReports {
    private final Map<NodeId, Heard> byNode = new HashMap<>();
    private final Map<NodeId, FeatureLevels> levels = new HashMap<>();

    /**
     * A report, of a node that the map knows so.
     *
     * @param leaders who leads which range, as the report has it
     * @param disk says when a disk is too full
     * @return that it is so now, or no more, for the journal; empty: as before
     */
    Optional<JournalEntry> heard(
            NodeReport report, Instant at, ClusterMap map, Leaders leaders, DiskPolicy disk) {
        NodeId nodeId = report.node().nodeId();
        boolean afresh =
                map.node(nodeId)
                        .map(ClusterNode::incarnation)
                        .filter(known -> !known.isEmpty())
                        .filter(known -> !known.equals(report.node().incarnation()))
                        .isPresent();
        Optional<Heard> before = Optional.ofNullable(byNode.get(nodeId));
        Heard now =
                Heard.next(
                        before,
                        report,
                        at,
                        map.ranges().onNode(nodeId),
                        leaders,
                        byNode,
                        afresh,
                        disk);
        byNode.put(nodeId, now);
        return JournalNotes.ofDisk(before.map(Heard::diskLevel), now);
    }

    /** What the node reads. */
    void reads(NodeId nodeId, FeatureLevels told) {
        levels.put(nodeId, told);
    }

    /** What the node runs, by its latest report; empty: there is none. */
    Optional<Release> release(NodeId nodeId) {
        return Optional.ofNullable(byNode.get(nodeId))
                .map(
                        heard ->
                                new Release(
                                        heard.report().node().version(),
                                        levels.getOrDefault(nodeId, FeatureLevels.UNTOLD)));
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
        levels.clear();
    }
}

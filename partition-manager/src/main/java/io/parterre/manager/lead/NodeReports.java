package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.plan.explain.JournalNotes;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.view.ClockSkew;
import io.parterre.manager.plan.view.ClockVerdict;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevels;
import io.parterre.release.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latest report of each node and its time of arrival. Liveness and placement are judged by
 * them. Confined to the loop's thread.
 */
final class NodeReports {
    private static final Logger LOG = LoggerFactory.getLogger(NodeReports.class);

    private final Map<NodeId, LastReport> byNode = new HashMap<>();
    private final Map<NodeId, FeatureLevels> levels = new HashMap<>();

    /** Difference of each node's clock to the time at which its report came. */
    private final Map<NodeId, Duration> clocks = new HashMap<>();

    /**
     * Takes a report of a node.
     *
     * @param leaders who leads which range, this report included
     * @param disk decides when a disk is too full
     * @return a journal entry if the disk became too full or is no longer; else empty
     */
    Optional<JournalEntry> heard(
            NodeReport report, Instant at, ClusterMap map, Leaders leaders, DiskPolicy disk) {
        NodeId nodeId = report.node().nodeId();
        boolean folderReplaced =
                map.node(nodeId)
                        .map(ClusterNode::incarnation)
                        .filter(known -> !known.isEmpty())
                        .filter(known -> !known.equals(report.node().incarnation()))
                        .isPresent();
        Optional<LastReport> before = Optional.ofNullable(byNode.get(nodeId));
        LastReport now =
                LastReport.next(
                        before,
                        report,
                        at,
                        map.ranges().onNode(nodeId),
                        leaders,
                        byNode,
                        folderReplaced,
                        disk);
        byNode.put(nodeId, now);
        return JournalNotes.ofDisk(before.map(LastReport::diskLevel), now);
    }

    /** Takes the feature levels that the node reads. */
    void reads(NodeId nodeId, FeatureLevels told) {
        levels.put(nodeId, told);
    }

    /** Returns the release that the node runs by its latest report; empty without a report. */
    Optional<Release> release(NodeId nodeId) {
        return Optional.ofNullable(byNode.get(nodeId))
                .map(
                        heard ->
                                new Release(
                                        heard.report().node().version(),
                                        levels.getOrDefault(nodeId, FeatureLevels.UNTOLD)));
    }

    /**
     * Judges the node's clock. The node's report must have been taken before.
     *
     * @param own how far this manager's wall clock is ahead of the clock that reports are timed
     *     with
     * @param since clocks of nodes that have not reported since do not count
     */
    void clock(NodeId nodeId, NodeClock clock, Duration own, Instant since) {
        LastReport heard = byNode.get(nodeId);
        if (clock.says().isEmpty()) {
            clocks.remove(nodeId);
            byNode.put(nodeId, heard.withClock(ClockVerdict.UNKNOWN));
            return;
        }
        Duration says = Duration.between(heard.at(), clock.says().get());
        // The verdict of another manager holds until this manager can judge.
        ClockVerdict before =
                clocks.put(nodeId, says) == null
                        ? ClockVerdict.toldBefore(clock.toldAhead())
                        : heard.clock();
        List<Duration> others = new ArrayList<>(List.of(own));
        for (NodeId other : heardSince(since)) {
            if (!other.equals(nodeId) && clocks.containsKey(other)) {
                others.add(clocks.get(other));
            }
        }
        ClockVerdict verdict = ClockSkew.judge(before, says, others);
        byNode.put(nodeId, heard.withClock(verdict));
        if (verdict.tooFar() && !heard.clock().tooFar()) {
            LOG.warn(
                    "clock of a node is ahead, it may lead no range nodeId={} aheadMillis={}",
                    nodeId,
                    verdict.ahead().toMillis());
        } else if (!verdict.tooFar() && heard.clock().tooFar()) {
            LOG.info("clock of a node is right again nodeId={}", nodeId);
        }
    }

    /** Returns how the node's clock compares with the others'. */
    ClockVerdict clock(NodeId nodeId) {
        return Optional.ofNullable(byNode.get(nodeId))
                .map(LastReport::clock)
                .orElse(ClockVerdict.UNKNOWN);
    }

    /** Returns a live, unmodifiable view of the latest reports. */
    Map<NodeId, LastReport> byNode() {
        return Collections.unmodifiableMap(byNode);
    }

    /** Returns the nodes whose latest report came at this time or later, sorted. */
    List<NodeId> heardSince(Instant since) {
        return byNode.entrySet().stream()
                .filter(entry -> !entry.getValue().at().isBefore(since))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    void clear() {
        clocks.clear();
        byNode.clear();
        levels.clear();
    }
}

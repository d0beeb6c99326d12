package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LoadPeaks;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevels;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What nodes have reported since this manager leads. Confined to the loop's thread. */
final class LeaderKnowledge {
    private final NodeReports reports = new NodeReports();
    private final LoadPeaks peaks = new LoadPeaks();
    private final LeaderHints hints = new LeaderHints();
    private final LeaderClock clock;
    private final Duration heartbeatTimeout;
    private Instant leadSince = Instant.EPOCH;

    /** Creates an empty instance. A node silent for longer than the timeout counts as gone. */
    LeaderKnowledge(LeaderClock clock, Duration heartbeatTimeout) {
        this.clock = clock;
        this.heartbeatTimeout = heartbeatTimeout;
    }

    NodeReports reports() {
        return reports;
    }

    LeaderHints hints() {
        return hints;
    }

    /** Forgets everything, because another manager may have led meanwhile. */
    void clear() {
        reports.clear();
        peaks.clear();
        hints.clear();
        clock.restart();
        leadSince = clock.instant();
    }

    /** Forgets load peaks that are too old. */
    void tidy() {
        peaks.tidy(clock.instant());
    }

    /**
     * Takes a report.
     *
     * @param map the map before the node is registered; shows whether the node's data folder is new
     * @return a journal entry if the node's disk became too full or is no longer; else empty
     */
    Optional<JournalEntry> heard(
            NodeReport report,
            FeatureLevels levels,
            NodeClock nodeClock,
            ClusterMap map,
            Policy policy) {
        NodeId nodeId = report.node().nodeId();
        Optional<JournalEntry> disk =
                reports.heard(report, clock.instant(), map, hints.leaders(), policy.disk());
        reports.reads(nodeId, levels);
        reports.clock(nodeId, nodeClock, clock.ahead(), clock.instant().minus(heartbeatTimeout));
        peaks.heard(report, clock.instant());
        return disk;
    }

    /** Returns the nodes that have reported within the timeout. */
    List<NodeId> liveNodes() {
        return reports.heardSince(clock.instant().minus(heartbeatTimeout));
    }

    ClusterView view(ClusterMap map, Policy policy) {
        return new ClusterView(
                map,
                reports.byNode(),
                hints.leaders(),
                leadSince,
                clock.instant(),
                policy,
                peaks.byRange());
    }
}

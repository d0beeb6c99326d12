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

/** What nodes have told this manager since it leads. For the loop's thread. */
final class LeaderKnowledge {
    private final NodeReports reports = new NodeReports();
    private final LoadPeaks peaks = new LoadPeaks();
    private final LeaderHints hints = new LeaderHints();
    private final LeaderClock clock;
    private final Duration heartbeatTimeout;
    private Instant leadSince = Instant.EPOCH;

    /** Nothing yet; a node silent for longer than the timeout counts as gone. */
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

    /** Forgets all: what this manager knew may be from before another leader. */
    void clear() {
        reports.clear();
        peaks.clear();
        hints.clear();
        clock.restart();
        leadSince = clock.instant();
    }

    /** Forgets loads of too long ago. */
    void tidy() {
        peaks.tidy(clock.instant());
    }

    /**
     * Takes a report.
     *
     * @param map from before the node is registered: it tells whether its data folder is another
     * @return a remark on the node's disk for the journal
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

    /** Nodes that have reported in time. */
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

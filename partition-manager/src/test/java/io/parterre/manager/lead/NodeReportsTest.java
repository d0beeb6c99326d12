package io.parterre.manager.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeReportsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final NodeReports reports = new NodeReports();
    private Instant now = Instant.ofEpochSecond(1_000);

    /** The manager's own clock is right. */
    private void hear(String node, NodeClock clock) {
        NodeId nodeId = new NodeId(node);
        reports.heard(
                new NodeReport(
                        new ClusterNode(nodeId, "h:1", "h:2", "", ""), Optional.empty(), List.of()),
                now,
                ClusterMap.EMPTY,
                new LeaderHints().leaders(),
                DiskPolicy.DEFAULT);
        reports.clock(nodeId, clock, Duration.ZERO, now.minusSeconds(5));
    }

    private NodeClock says(Duration ahead) {
        return new NodeClock(Optional.of(now.plus(ahead)), Duration.ZERO);
    }

    private boolean tooFar(String node) {
        return reports.clock(new NodeId(node)).tooFar();
    }

    @Test
    void nodeIsToldOfItsClock_onceOthersHaveReported() {
        hear("n1", says(HOUR));
        assertThat(reports.clock(new NodeId("n1")).judged()).isFalse();
        hear("n2", says(Duration.ZERO));
        assertThat(tooFar("n2")).isFalse();
        hear("n1", says(HOUR));
        assertThat(tooFar("n1")).isTrue();
        hear("n1", says(Duration.ofSeconds(1)));
        assertThat(tooFar("n1")).isFalse();
    }

    @Test
    void nodesClockCountsForNothing_onceItIsSilent() {
        hear("n2", says(Duration.ZERO));
        now = now.plusSeconds(6);
        hear("n1", says(HOUR));
        assertThat(reports.clock(new NodeId("n1")).judged()).isFalse();
    }

    @Test
    void wordOfManagerBeforeHolds_untilThisOneCanJudge() {
        hear("n1", new NodeClock(Optional.of(now.plus(HOUR)), HOUR));
        assertThat(reports.clock(new NodeId("n1")).judged()).isFalse();
        assertThat(tooFar("n1")).isTrue();
    }

    @Test
    void nodeThatDoesNotTellTheTimeIsNotJudged() {
        hear("n2", says(Duration.ZERO));
        hear("n3", says(Duration.ZERO));
        hear("n1", NodeClock.SILENT);
        assertThat(reports.clock(new NodeId("n1")).judged()).isFalse();
        assertThat(tooFar("n1")).isFalse();
    }
}

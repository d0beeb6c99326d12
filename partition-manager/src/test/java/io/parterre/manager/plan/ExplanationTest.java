package io.parterre.manager.plan;

import static io.parterre.manager.plan.Maps.id;
import static io.parterre.manager.plan.Maps.ids;
import static io.parterre.manager.plan.TwoRanges.LEFT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    private final TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));

    private Plan plan() {
        return Planner.plan(cluster.view(), cluster.policy);
    }

    private List<String> explained() {
        return Explanation.of(cluster.view(), plan(), cluster.range(LEFT));
    }

    @Test
    void explanationGivesRepairDeadline_whenMemberIsSilent() {
        assertThat(explained()).noneMatch(reason -> reason.contains("SILENT"));
        cluster.silent.add(id(3));
        cluster.leadSince = cluster.now.minusSeconds(30);
        assertThat(explained())
                .anyMatch(reason -> reason.startsWith("2 of 3 members are healthy"))
                .anyMatch(
                        reason ->
                                reason.equals(
                                        "member n3 is SILENT: nothing was heard of its node for 30 s,"
                                                + " after 120 s its replica is made anew elsewhere"));
    }

    @Test
    void explanationStatesRangeSizeAndRequestRates() {
        cluster.isAsked(LEFT, 387, Duration.ofMinutes(1), 35L << 29);
        assertThat(explained())
                .anyMatch(
                        reason ->
                                reason.startsWith(
                                                "it holds 17.5 GiB; 387 reads and 0 writes a second")
                                        && reason.contains(", 0 more refused, "));
    }

    @Test
    void splitReasonStatesSizeAndLimit_whenRangeIsTooLarge() {
        cluster.policy =
                cluster.policy.withSplit(
                        new SplitPolicy(true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 8));
        cluster.isAsked(LEFT, 10, Duration.ofMinutes(1), 35L << 29);
        assertThat(plan().splits())
                .extracting(Decision.Split::why)
                .containsExactly("it holds 17.5 GiB (limit: 16GiB)");
        cluster.policy = cluster.policy.withReplicasPerNodeMax(2);
        assertThat(plan().left())
                .extracting(Decision.Leave::why)
                .contains(
                        "it holds 17.5 GiB (limit: 16GiB), node n1 holds as many replicas as a node"
                                + " may");
    }
}

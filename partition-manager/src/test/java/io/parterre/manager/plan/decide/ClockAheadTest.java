package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.decide.FourNodes.MAP;
import static io.parterre.manager.plan.decide.FourNodes.RANGE;
import static io.parterre.manager.plan.decide.FourNodes.decisions;
import static io.parterre.manager.plan.decide.FourNodes.range;
import static io.parterre.manager.plan.decide.FourNodes.withClocksAhead;
import static io.parterre.manager.plan.view.Maps.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.explain.NodeExplanation;
import io.parterre.manager.plan.view.ClusterHealth;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.NodeFault;
import io.parterre.range.RangeDescriptor;
import org.junit.jupiter.api.Test;

/** A node whose clock is an hour ahead of the others'. */
final class ClockAheadTest {
    @Test
    void nodeLosesLeadership_whenItsClockIsAhead() {
        assertThat(decisions(withClocksAhead(id(1))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Decision.TransferLead.class,
                        transfer -> {
                            assertThat(transfer.from()).isEqualTo(id(1));
                            assertThat(transfer.to()).isIn(id(2), id(3));
                            assertThat(transfer.why())
                                    .asString()
                                    .contains("its clock is 3600 s ahead of what most clocks");
                        });
    }

    @Test
    void leadGoesToMemberWithRightClock_whenAnotherIsAheadToo() {
        assertThat(decisions(withClocksAhead(id(1), id(2))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Decision.TransferLead.class,
                        transfer -> assertThat(transfer.to()).isEqualTo(id(3)));
    }

    @Test
    void nodeKeepsItsReplicasAndIsHealthy_whenItsClockIsAhead() {
        ClusterView view = withClocksAhead(id(2));
        assertThat(decisions(view)).isEmpty();
        assertThat(view.health(RANGE, id(2))).isEqualTo(Health.HEALTHY);
    }

    @Test
    void nodeReceivesNoReplicas_whenItsClockIsAhead() {
        assertThat(withClocksAhead(id(4)).takesMore(id(4))).isFalse();
        assertThat(withClocksAhead(id(1)).takesMore(id(4))).isTrue();
    }

    @Test
    void explanationsNameTheClock() {
        ClusterView view = withClocksAhead(id(2));
        RangeDescriptor range = range();
        assertThat(Explanation.of(view, Plan.NONE, range))
                .contains(
                        "the node of member "
                                + id(2)
                                + " may lead no range: its clock is 3600 s ahead of what most"
                                + " clocks say");
        assertThat(NodeExplanation.of(view, Plan.NONE, MAP.node(id(2)).orElseThrow()))
                .anyMatch(reason -> reason.contains("its clock is 3600 s ahead"));
        assertThat(ClusterHealth.of(view).ailing(NodeFault.CLOCK_AHEAD)).isEqualTo(1);
        assertThat(MergePlanner.unrest(view)).isPresent();
    }
}

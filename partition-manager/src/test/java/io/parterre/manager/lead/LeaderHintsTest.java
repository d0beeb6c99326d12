package io.parterre.manager.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.plan.view.Maps;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A range that was merged away is led by nobody, whether or not anybody watches. */
class LeaderHintsTest {
    private static final NodeId N1 = Maps.id(1);
    private static final RangeId STAYS = new RangeId(1);
    private static final RangeId GOES = new RangeId(2);
    private static final ClusterMap MAP =
            Maps.of(List.of(Maps.node(N1, "")), List.of(List.of(N1), List.of(N1)));

    private final DeltaLog deltas = new DeltaLog(10);
    private final LeaderHints hints = new LeaderHints();

    @BeforeEach
    void bothAreLed() {
        deltas.reset(MAP.version());
        hints.follow(MAP, deltas);
        hints.leads(STAYS, N1);
        hints.leads(GOES, N1);
    }

    private void assertThatOneIsLeft() {
        assertThat(hints.since(0)).containsExactly(new LeaderHints.Hint(STAYS, N1));
        assertThat(hints.leaders().byRange()).containsOnlyKeys(STAYS);
    }

    @Test
    void leaderHintIsDropped_whenDeltaRemovesItsRange() {
        deltas.append(
                new MapDelta(
                        MAP.version() + 1,
                        Optional.empty(),
                        List.of(),
                        List.of(GOES),
                        List.of(),
                        List.of()));
        hints.follow(changed(MAP), deltas);
        assertThatOneIsLeft();
    }

    @Test
    void leaderHintIsDropped_whenNewMapLacksItsRange() {
        ClusterMap other = Maps.of(List.of(Maps.node(N1, "")), List.of(List.of(N1)));
        while (other.version() <= MAP.version()) {
            other = changed(other);
        }
        deltas.reset(other.version());
        hints.follow(other, deltas);
        assertThatOneIsLeft();
    }

    /** Another address each time, so that something is changed. */
    private static ClusterMap changed(ClusterMap map) {
        return MapApply.apply(
                        map,
                        new MapCommand.RegisterNode(Maps.node(Maps.id(9), "z" + map.version())))
                .map();
    }
}

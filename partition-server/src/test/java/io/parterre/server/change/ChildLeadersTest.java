package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import org.junit.jupiter.api.Test;

class ChildLeadersTest {
    private static final NodeId NODE = new NodeId("b");

    private final ChildLeaders leaders = new ChildLeaders();
    private long nowNanos = Long.MAX_VALUE - 5;

    @Test
    void childLeaderIsToldOnce() {
        leaders.put(new RangeId(2), NODE, nowNanos);
        assertThat(leaders.take(new RangeId(3))).isEmpty();
        assertThat(leaders.take(new RangeId(2))).contains(NODE);
        assertThat(leaders.take(new RangeId(2))).isEmpty();
    }

    @Test
    void childLeaderIsForgotten_whenItIsNotAskedFor() {
        for (int id = 1; id <= 1_000; id++) {
            leaders.put(new RangeId(id), NODE, nowNanos);
            nowNanos += ChildLeaders.KEPT.dividedBy(10).toNanos();
        }
        assertThat(leaders.size()).isEqualTo(10);
        assertThat(leaders.take(new RangeId(1_000))).contains(NODE);
    }
}

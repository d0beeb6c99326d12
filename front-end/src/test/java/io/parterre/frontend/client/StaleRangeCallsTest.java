package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ALL;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.range;
import static io.parterre.frontend.client.ClusterFixture.splitPoint;
import static io.parterre.frontend.client.ClusterFixture.writes;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.store.WriteResult;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.range.RangeDescriptor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests whose range was split, merged or moved since the map was read. */
final class StaleRangeCallsTest {
    @Test
    void callLearnsOfSplitFromNode_whenItsRangeMapIsStale() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.read("a"));
            RangeDescriptor parent =
                    range(1, new KeyRange(Key.FIRST, splitPoint("m")), 2, "a", "b", "c");
            RangeDescriptor child =
                    range(2, new KeyRange(splitPoint("m"), Key.LAST), 1, "a", "b", "c");
            fixture.a.leads(parent, child);
            assertThat(get(fixture.read("z"))).isEmpty();
            assertThat(get(fixture.read("a"))).isEmpty();
            assertThat(fixture.setbacks).containsExactly("stale_range");
            assertThat(fixture.a.requests.get(fixture.a.requests.size() - 2).getRangeId())
                    .isEqualTo(2);
        }
    }

    @Test
    void callLearnsOfMergeFromNode_whenItsRangeMapIsStale() throws Exception {
        RangeDescriptor left = range(1, new KeyRange(Key.FIRST, splitPoint("m")), 2, "a", "b", "c");
        RangeDescriptor right = range(2, new KeyRange(splitPoint("m"), Key.LAST), 2, "a", "b", "c");
        RangeDescriptor joined = range(1, KeyRange.ALL, 4, "a", "b", "c");
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.a.leads(left, right);
            get(fixture.read("a"));
            get(fixture.read("z"));
            fixture.setbacks.clear();
            fixture.a.drops(right).leads(joined);

            assertThat(get(fixture.write("z"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
            assertThat(get(fixture.read("a"))).isEmpty();
            assertThat(fixture.setbacks).containsExactly("stale_range");
            List<RangeRequest> attempts = writes(fixture.a);
            assertThat(attempts).extracting(RangeRequest::getRangeId).containsExactly(2L, 1L);
            assertThat(attempts.get(1).getCommand()).isEqualTo(attempts.get(0).getCommand());
        }
    }

    @Test
    void writeIsAppliedOnce_whenRangeIsAbsorbedBeforeResponse() throws Exception {
        RangeDescriptor left = range(1, new KeyRange(Key.FIRST, splitPoint("m")), 2, "a", "b", "c");
        RangeDescriptor right = range(2, new KeyRange(splitPoint("m"), Key.LAST), 2, "a", "b", "c");
        RangeDescriptor joined = range(1, KeyRange.ALL, 4, "a", "b", "c");
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.a.leads(left, right);
            fixture.b.drops(ALL);
            fixture.c.drops(ALL);
            get(fixture.read("z"));
            fixture.b.follows(joined, "a");
            fixture.c.follows(joined, "a");
            fixture.a.mergesAfterServingNext(right, joined);

            assertThat(get(fixture.write("z"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
            assertThat(fixture.store.applied()).isEqualTo(1);
            assertThat(fixture.setbacks).contains("in_doubt", "stale_range");
        }
    }

    @Test
    void splitChildLeaderIsAssumed_fromNodeReportingSplit() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.a.follows(ALL, "c");
            fixture.c.leads(ALL);
            get(fixture.read("a"));
            RangeDescriptor parent =
                    range(1, new KeyRange(Key.FIRST, splitPoint("m")), 2, "a", "b", "c");
            RangeDescriptor child =
                    range(2, new KeyRange(splitPoint("m"), Key.LAST), 2, "a", "b", "c");
            fixture.a.follows(parent, "").follows(child, "");
            fixture.b.follows(parent, "").follows(child, "");
            fixture.c.leads(parent, child);
            assertThat(get(fixture.read("z"))).isEmpty();
            assertThat(fixture.setbacks).containsExactly("not_leader", "stale_range");
        }
    }

    @Test
    void callAsksManagerForMap_whenNoMemberHoldsRange() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.read("a"));
            RangeDescriptor moved = range(1, KeyRange.ALL, 2, "b");
            fixture.a.drops(ALL);
            fixture.b.drops(ALL);
            fixture.c.drops(ALL);
            fixture.manager.tells(FakeManager.map(2, fixture.nodes(), moved));
            fixture.b.leads(moved);
            // The first watch is younger than the shortest time between whole maps.
            assertThat(get(fixture.read("a"))).isEmpty();
            assertThat(fixture.setbacks).contains("stale_range");
        }
    }
}

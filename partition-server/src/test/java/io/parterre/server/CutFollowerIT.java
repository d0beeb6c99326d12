package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.range.RangeResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Followers cut off from their leader, from each other, or from all: those that go on do so. */
@Execution(ExecutionMode.CONCURRENT)
final class CutFollowerIT extends NetworkFaults {
    @Test
    void followerRejoinsWithoutElection_afterLongIsolation() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            String cutOff = others(cluster, leader).get(0);
            awaitRows(cluster, cutOff, 3);

            cluster.network().isolate(cutOff, others(cluster, cutOff));
            long age = staleness(cluster, cutOff);
            TestCluster.await().until(() -> staleness(cluster, cutOff) > age + 4_000);
            write(cluster, leader, 10);
            RangeResponse old = ask(cluster, cutOff, page().setFollowerRead(true));
            assertThat(old.getScanPage().getRowCount()).isEqualTo(3);
            cluster.network().heal();

            TestCluster.await().until(() -> staleness(cluster, cutOff) < 1_000);
            cluster.awaitLevel(cluster.founders());
            // A term of another would have cost the leader its office, and these an answer.
            write(cluster, leader, 10);
            assertThat(cluster.awaitLeader()).isEqualTo(leader);
        }
    }

    @Test
    void leaderKeepsLeadership_whileMajorityHearsIt() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            String far = others(cluster, leader).get(0);

            cluster.network().cutBothWays(leader, far);
            long age = staleness(cluster, far);
            // It asks the third one for its vote all the time.
            while (staleness(cluster, far) < age + 5_000) {
                write(cluster, leader, 1);
            }

            cluster.network().heal();
            TestCluster.await().until(() -> staleness(cluster, far) < 1_000);
            write(cluster, leader, 3);
        }
    }

    @Test
    void writesContinue_whileTwoFollowersCannotReachEachOther() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            List<String> followers = others(cluster, leader);
            cluster.network().cutBothWays(followers.get(0), followers.get(1));
            long endNanos = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            while (System.nanoTime() < endNanos) {
                write(cluster, leader, 1);
            }
        }
    }
}

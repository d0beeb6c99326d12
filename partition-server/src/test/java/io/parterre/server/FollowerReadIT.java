package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads that any member answers, and what they say of their age. */
final class FollowerReadIT {
    @TempDir Path folder;

    private static RangeResponse ask(TestCluster cluster, String node, RangeRequest.Builder request)
            throws Exception {
        return askAt(cluster, node, 1, request);
    }

    private static RangeResponse askAt(
            TestCluster cluster, String node, long generation, RangeRequest.Builder request)
            throws Exception {
        return cluster.node(node)
                .client()
                .call(
                        request.clone()
                                .setFollowerRead(true)
                                .setRangeId(TestCluster.RANGE.value())
                                .setGeneration(generation));
    }

    private static RangeRequest.Builder page() {
        return scan(KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE)), 100);
    }

    private static List<String> followers(TestCluster cluster, String leader) {
        List<String> followers = new ArrayList<>(cluster.founders());
        followers.remove(leader);
        return followers;
    }

    @Test
    void followerReadSeesAckedWrites_whenOlderThanItsStaleness() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            RangeResponse written = cluster.client.call(command(insert(1, "a", "1", "one")));
            assertThat(written.getOutcome().hasWritten()).isTrue();
            long acknowledgedNanos = System.nanoTime();
            String leader = cluster.awaitLeader();

            RangeResponse atLeader = ask(cluster, leader, read(key("a", "1")));
            assertThat(atLeader.getRow().hasValue()).isTrue();
            assertThat(atLeader.hasStalenessMillis()).isTrue();

            for (String follower : followers(cluster, leader)) {
                // Once its age is less than the time since the write, the write has to be there.
                TestCluster.await()
                        .until(
                                () -> {
                                    long sinceMillis =
                                            (System.nanoTime() - acknowledgedNanos) / 1_000_000;
                                    RangeResponse answer =
                                            ask(cluster, follower, read(key("a", "1")));
                                    boolean young =
                                            answer.hasStalenessMillis()
                                                    && answer.getStalenessMillis() < sinceMillis;
                                    if (young) {
                                        assertThat(answer.getRow().hasValue()).isTrue();
                                    }
                                    return young;
                                });
                RangeResponse page = ask(cluster, follower, page());
                assertThat(page.getScanPage().getRowCount()).isEqualTo(1);
                assertThat(page.getStalenessMillis()).isLessThan(60_000);
                // What is not asked for as such is for the leader alone, as ever.
                assertThat(cluster.node(follower).client().call(read(key("a", "1"))).hasNotLeader())
                        .isTrue();
                assertThat(askAt(cluster, follower, 2, page()).hasStaleRange()).isTrue();
            }
        }
    }

    @Test
    void followerServesReadsWithGrowingStaleness_whileOthersAreDown() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            List<String> followers = followers(cluster, leader);
            String left = followers.get(0);
            TestCluster.await()
                    .until(
                            () -> {
                                RangeResponse answer = ask(cluster, left, page());
                                return answer.hasStalenessMillis()
                                        && answer.getScanPage().getRowCount() == 3;
                            });

            cluster.kill(leader);
            cluster.kill(followers.get(1));

            // It stands for election again and again meanwhile, and hears of nobody.
            long age = ask(cluster, left, page()).getStalenessMillis();
            TestCluster.await()
                    .until(() -> ask(cluster, left, page()).getStalenessMillis() > age + 3_000);
            RangeResponse old = ask(cluster, left, page());
            assertThat(old.getScanPage().getRowCount()).isEqualTo(3);
            assertThat(cluster.node(left).client().call(page()).hasNotLeader()).isTrue();
            assertThat(cluster.node(left).server.missing()).isPresent();

            cluster.start(leader);
            TestCluster.await()
                    .until(
                            () -> {
                                RangeResponse answer = ask(cluster, left, page());
                                return answer.hasStalenessMillis()
                                        && answer.getStalenessMillis() < 3_000;
                            });
            TestCluster.await().until(() -> cluster.node(left).server.missing().isEmpty());
        }
    }

    @Test
    void leaderServesReadsWithGrowingStaleness_withoutFollowers() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            TestCluster.await().until(() -> ask(cluster, leader, page()).getStalenessMillis() == 0);
            for (String follower : followers(cluster, leader)) {
                cluster.kill(follower);
            }

            TestCluster.await()
                    .until(() -> ask(cluster, leader, page()).getStalenessMillis() > 2_000);
            assertThat(ask(cluster, leader, page()).getScanPage().getRowCount()).isEqualTo(3);
        }
    }

    @Test
    void soleReplicaReadReportsZeroStaleness() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).nodes("node-1").start()) {
            cluster.client.write(2);
            RangeResponse answer = ask(cluster, "node-1", page());
            assertThat(answer.getScanPage().getRowCount()).isEqualTo(2);
            assertThat(answer.hasStalenessMillis()).isTrue();
            assertThat(answer.getStalenessMillis()).isZero();
        }
    }

    @Test
    void followerReadReportsFenceWithStaleness_whenTableIsDeleted() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).nodes("node-1").start()) {
            cluster.client.write(2);
            assertThat(
                            cluster.client
                                    .call(command(Commands.fence(100, Commands.TABLE)))
                                    .hasOutcome())
                    .isTrue();
            for (RangeRequest.Builder request : List.of(page(), read(key("p", "1")))) {
                RangeResponse answer = ask(cluster, "node-1", request);
                assertThat(answer.hasScopeFenced()).isTrue();
                assertThat(answer.hasStalenessMillis()).isTrue();
                assertThat(answer.getStalenessMillis()).isZero();
            }
        }
    }

    @Test
    void joiningReplicaReturnsNoData_untilItIsAMember() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write(3);
            cluster.start("node-4");
            cluster.awaitKnown("node-4");
            cluster.manager.join("node-4", 1, cluster.founders());
            cluster.awaitJoining("node-4");
            assertThat(cluster.report("node-4", each -> each.getState() == ReplicaState.JOINING))
                    .isTrue();

            assertThat(ask(cluster, "node-4", page()).hasNoData()).isTrue();
            assertThat(ask(cluster, "node-4", read(key("p", "1"))).hasNoData()).isTrue();

            List<String> changed = new ArrayList<>(cluster.founders());
            changed.add("node-4");
            cluster.change(1, changed);
            TestCluster.await()
                    .until(
                            () ->
                                    askAt(cluster, "node-4", 2, page()).getScanPage().getRowCount()
                                            == 3);
        }
    }
}

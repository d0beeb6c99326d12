package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A range with three replicas whose network loses, delays or splits. */
@Execution(ExecutionMode.CONCURRENT)
final class NetworkFaultIT {
    /** How long a leader may read after the last message that a majority has answered. */
    private static final Duration LEASE =
            TestCluster.ELECTION_TIMEOUT_MIN.multipliedBy(8).dividedBy(10);

    /** For what one leader does all the time: a busy machine may hold up others for a while. */
    private static final Duration CALM = Duration.ofSeconds(1);

    /** So long that no busy machine keeps a leader from being heard in between. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(3);

    /** From the fault to another leader: elections, some of them in vain, on a busy machine. */
    private static final Duration FAILOVER_MAX = Duration.ofSeconds(20);

    @TempDir Path folder;

    private TestCluster start() throws Exception {
        return start(TestCluster.ELECTION_TIMEOUT_MIN);
    }

    private TestCluster start(Duration electionTimeoutMin) throws Exception {
        return TestCluster.withNetwork(folder, electionTimeoutMin, "node-1", "node-2", "node-3");
    }

    private static List<String> others(TestCluster cluster, String node) {
        List<String> others = new ArrayList<>(cluster.founders());
        others.remove(node);
        return others;
    }

    private static RangeResponse ask(TestCluster cluster, String node, RangeRequest.Builder request)
            throws Exception {
        return cluster.node(node).client().call(request.clone());
    }

    private static RangeRequest.Builder page() {
        return scan(KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE)), 1000);
    }

    private static String awaitOtherLeader(TestCluster cluster, String old) {
        return TestCluster.await()
                .atMost(FAILOVER_MAX)
                .until(
                        () ->
                                others(cluster, old).stream()
                                        .filter(
                                                node ->
                                                        cluster.report(
                                                                node, ReplicaReport::getLeading))
                                        .findFirst()
                                        .orElse(""),
                        leader -> !leader.isEmpty());
    }

    /** As the only one; what it says last may be older than its fall. */
    private static void awaitFollower(TestCluster cluster, String node) {
        cluster.awaitReport(node, replica -> !replica.getLeading());
    }

    /**
     * Asks a leader that is cut off until another leads, and some more: no read that begins after
     * its lease may be answered.
     *
     * @param sinceNanos before the cut
     */
    private static String assertReadsEndWithTheLease(
            TestCluster cluster, String cutOff, long sinceNanos) throws Exception {
        String next = "";
        long anotherLedNanos = 0;
        while (next.isEmpty()
                || System.nanoTime() - anotherLedNanos < Duration.ofSeconds(1).toNanos()) {
            long begunNanos = System.nanoTime();
            RangeResponse answer = ask(cluster, cutOff, read(key("p", "00000001")));
            if (begunNanos - sinceNanos > LEASE.toNanos()) {
                assertThat(answer.hasNotLeader()).as(answer.toString()).isTrue();
            }
            assertThat(begunNanos - sinceNanos).isLessThan(FAILOVER_MAX.toNanos());
            if (next.isEmpty()) {
                next =
                        others(cluster, cutOff).stream()
                                .filter(node -> cluster.report(node, ReplicaReport::getLeading))
                                .findFirst()
                                .orElse("");
                anotherLedNanos = System.nanoTime();
            }
        }
        return next;
    }

    /** An insert that its leader cannot bring to an end. */
    private static CompletableFuture<RangeResponse> writeInVain(TestCluster cluster, String node) {
        return cluster.node(node)
                .client()
                .send(command(insert(1_000_000, "q", "in vain", "x")).setTimeLeftMillis(15_000));
    }

    private static void assertWasInVain(TestCluster cluster, CompletableFuture<RangeResponse> write)
            throws Exception {
        RangeResponse answer = write.get(20, TimeUnit.SECONDS);
        assertThat(answer.hasNotLeader() || answer.hasInDoubt()).as(answer.toString()).isTrue();
        for (String node : cluster.founders()) {
            cluster.assertAllThereAt(node, 1);
            assertThat(cluster.call(read(key("q", "in vain"))).getRow().hasValue()).isFalse();
        }
    }

    @Test
    void leaderAcksNothingAndReadsOnlyInItsLease_whenIsolated() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.write(3);
            String cutOff = cluster.awaitLeader();

            cluster.network().isolate(cutOff, others(cluster, cutOff));
            long cutNanos = System.nanoTime();
            CompletableFuture<RangeResponse> inVain = writeInVain(cluster, cutOff);
            String next = assertReadsEndWithTheLease(cluster, cutOff, cutNanos);

            assertThat(next).isNotEqualTo(cutOff);
            cluster.write(3);
            awaitFollower(cluster, cutOff);
            cluster.network().heal();

            cluster.awaitLevel(cluster.founders());
            cluster.write(3);
            assertWasInVain(cluster, inVain);
        }
    }

    @Test
    void leaderStepsDown_whenItsInboundLinksAreCut() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.write(3);
            String deaf = cluster.awaitLeader();

            others(cluster, deaf).forEach(other -> cluster.network().cut(other, deaf));
            long cutNanos = System.nanoTime();
            CompletableFuture<RangeResponse> inVain = writeInVain(cluster, deaf);
            assertReadsEndWithTheLease(cluster, deaf, cutNanos);

            // The network is as it was: the others go on without it, and it does not disturb them.
            cluster.write(20);
            cluster.network().heal();
            cluster.awaitLevel(cluster.founders());
            // Its followers took the write, and nobody told them not to commit it.
            assertThat(inVain.get(20, TimeUnit.SECONDS).hasOutcome()).isFalse();
            assertThat(cluster.call(command(insert(1_000_000, "q", "in vain", "x"))).hasOutcome())
                    .isTrue();
            assertThat(cluster.call(page()).getScanPage().getRowCount()).isEqualTo(24);
        }
    }

    @Test
    void leaderIsReplaced_whenItsOutboundLinksAreCut() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.write(3);
            String mute = cluster.awaitLeader();

            others(cluster, mute).forEach(other -> cluster.network().cut(mute, other));
            long cutNanos = System.nanoTime();
            CompletableFuture<RangeResponse> inVain = writeInVain(cluster, mute);
            assertReadsEndWithTheLease(cluster, mute, cutNanos);

            cluster.write(20);
            awaitFollower(cluster, mute);
            cluster.network().heal();
            cluster.awaitLevel(cluster.founders());
            assertWasInVain(cluster, inVain);
        }
    }

    @Test
    void followerRejoinsWithoutElection_afterLongIsolation() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.write(3);
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

    /** In milliseconds, once the member can tell. */
    private static long staleness(TestCluster cluster, String node) {
        return TestCluster.await()
                .until(
                        () -> ask(cluster, node, page().setFollowerRead(true)),
                        RangeResponse::hasStalenessMillis)
                .getStalenessMillis();
    }

    private static void awaitRows(TestCluster cluster, String node, long count) {
        TestCluster.await()
                .atMost(Duration.ofSeconds(20))
                .until(
                        () ->
                                ask(cluster, node, page().setFollowerRead(true))
                                                .getScanPage()
                                                .getRowCount()
                                        == count);
    }

    private long nextRow = 1;

    /** Through this very node, which has to lead all the time. */
    private void write(TestCluster cluster, String leader, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            long sequence = 2_000_000 + nextRow;
            RangeResponse answer =
                    ask(
                            cluster,
                            leader,
                            command(insert(sequence, "w", String.format("%08d", nextRow), "x")));
            assertThat(answer.getOutcome().hasWritten()).as(answer.toString()).isTrue();
            nextRow++;
        }
    }

    @Test
    void leaderKeepsLeadership_whileMajorityHearsIt() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.write(3);
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
            cluster.write(3);
            String leader = cluster.awaitLeader();
            List<String> followers = others(cluster, leader);
            cluster.network().cutBothWays(followers.get(0), followers.get(1));
            long endNanos = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            while (System.nanoTime() < endNanos) {
                write(cluster, leader, 1);
            }
        }
    }

    @Test
    void leaderServesWritesAndReads_whenNetworkIsSlow() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            for (String from : cluster.founders()) {
                for (String to : others(cluster, from)) {
                    cluster.network().delay(from, to, Duration.ofMillis(200));
                }
            }
            for (int i = 0; i < 8; i++) {
                write(cluster, leader, 1);
                // The answer to a heartbeat comes in time to extend the lease, or the read waits.
                RangeResponse row =
                        ask(cluster, leader, read(key("w", String.format("%08d", nextRow - 1))));
                assertThat(row.getRow().hasValue()).as(row.toString()).isTrue();
            }
        }
    }

    @Test
    void readsNeverMissAckedWrites_whileNetworkFlaps() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.write(1);
            String first = cluster.awaitLeader();
            try (FlappingNetwork flapping =
                    new FlappingNetwork(cluster.network(), first, others(cluster, first), 20)) {
                for (int version = 1; !flapping.hasEnded(); version++) {
                    assertThat(
                                    cluster.call(
                                                    command(
                                                            Commands.write(
                                                                    3_000_000L + version,
                                                                    EntityOperation.Kind
                                                                            .INSERT_OR_REPLACE,
                                                                    "register",
                                                                    "r",
                                                                    versionText(version))))
                                            .getOutcome()
                                            .hasWritten())
                            .isTrue();
                    for (String node : cluster.founders()) {
                        RangeResponse answer = ask(cluster, node, read(key("register", "r")));
                        if (answer.hasRow()) {
                            assertThat(answer.getRow().getValue().toStringUtf8())
                                    .as(node)
                                    .contains(versionText(version));
                        }
                    }
                }
            }
            cluster.awaitLevel(cluster.founders());
        }
    }

    private static String versionText(int version) {
        return String.format("%06d", version);
    }

    @Test
    void followerReconnects_whenOldConnectionsStaySilent() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            String cutOff = others(cluster, leader).get(0);

            cluster.network().isolate(cutOff, others(cluster, cutOff));
            long age = staleness(cluster, cutOff);
            TestCluster.await().until(() -> staleness(cluster, cutOff) > age + 2_000);
            cluster.network().healForNewConnections();

            TestCluster.await()
                    .atMost(Duration.ofSeconds(15))
                    .until(() -> staleness(cluster, cutOff) < 1_000);
            cluster.write(3);
        }
    }

    @Test
    void leaderIsElected_whenAllOldConnectionsStaySilent() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            String follower = others(cluster, leader).get(0);
            assertThat(staleness(cluster, follower)).isLessThan(60_000);
            cluster.founders()
                    .forEach(node -> cluster.network().isolate(node, others(cluster, node)));
            // Twice as long as a group waits for a leader before it connects anew.
            long age = staleness(cluster, follower);
            TestCluster.await().until(() -> staleness(cluster, follower) > age + 2_500);
            assertThat(ask(cluster, leader, page()).hasNotLeader()).isTrue();

            cluster.network().healForNewConnections();

            // One that stepped down for want of followers leaves the next election to others.
            TestCluster.await()
                    .atMost(Duration.ofSeconds(15))
                    .until(
                            () ->
                                    cluster.founders().stream()
                                            .anyMatch(
                                                    node ->
                                                            cluster.report(
                                                                    node,
                                                                    ReplicaReport::getLeading)));
            cluster.write(3);
            cluster.assertAllThere();
        }
    }

    @Test
    void voteIsWithheld_whileLeaderMayHoldItsReadLease() throws Exception {
        try (TestCluster cluster = start(LONG_LEASE)) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            String voter = others(cluster, leader).get(0);
            String candidate = others(cluster, leader).get(1);
            cluster.awaitLevel(cluster.founders());

            assertThat(LateVote.isGiven(cluster.node(voter), voter, candidate)).isFalse();
            // Its term is what it was.
            write(cluster, leader, 3);

            // From here on it is the voter alone that extends the lease.
            cluster.network().cutBothWays(leader, candidate);
            long cutNanos = System.nanoTime();
            while (System.nanoTime() - cutNanos < LONG_LEASE.multipliedBy(2).toNanos()) {
                write(cluster, leader, 1);
            }
            cluster.network().cutBothWays(leader, voter);
            assertThat(LateVote.isGiven(cluster.node(voter), voter, candidate)).isTrue();
            assertThat(ask(cluster, leader, read(key("p", "00000001"))).hasNotLeader()).isTrue();

            cluster.network().heal();
            cluster.write(3);
        }
    }

    @Test
    void followerCatchesUp_afterConnectionsBreak() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            String cutOff = others(cluster, leader).get(0);
            for (int i = 0; i < 3; i++) {
                cluster.network().breakBothWays(leader, cutOff);
                write(cluster, leader, 5);
                cluster.network().heal();
                awaitRows(cluster, cutOff, 3 + nextRow - 1);
            }
        }
    }
}

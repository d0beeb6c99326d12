package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.Generation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;

/** Followers whose leader's connections are closed, as those of a process that ended are. */
@Execution(ExecutionMode.CONCURRENT)
final class LostLeaderIT extends NetworkFaults {
    /** So long that no election of these tests is due to it; their first votes wait for it. */
    private static final Duration TIMEOUT = Duration.ofSeconds(12);

    /** Entries of the first rows, of the leader, and of one write at least. */
    private static final long WRITTEN_INDEX_MIN = 12;

    private static final Duration LEASE = Duration.ofSeconds(3);

    private TestCluster start(LogLines elections, Duration lease) throws Exception {
        return TestCluster.in(folder)
                .range(elections.rangeId)
                .withNetwork()
                .electionTimeoutMin(TIMEOUT)
                .settings(
                        config ->
                                config.withRaft(
                                        new TestRaft(config.raft()).withLease(lease).build()))
                .start();
    }

    /** What Ratis says of its elections, which tests do not log otherwise. */
    private static LogLines elections() {
        String name = "org.apache.ratis.server.impl.LeaderElection";
        ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.INFO);
        return LogLines.of(name);
    }

    /** Through this very node. */
    private void write(TestCluster cluster, String leader) throws Exception {
        nextRow++;
        RangeResponse answer =
                cluster.client.answer(
                        leader,
                        insert(2_000_000 + nextRow, "w", String.format("%08d", nextRow), "x"));
        assertThat(answer.getOutcome().hasWritten()).as(answer.toString()).isTrue();
    }

    private static RangeResponse readFirst(TestCluster cluster, String node, LogLines elections)
            throws Exception {
        return ask(
                cluster,
                node,
                read(key("p", "00000001"))
                        .setRangeId(elections.rangeId.value())
                        .setGeneration(Generation.FIRST.value()));
    }

    /** Of a report that has all that was written: one from before would tell of less. */
    private ReplicaReport current(TestCluster cluster, String node) {
        ReplicaReport[] current = new ReplicaReport[1];
        cluster.awaitReport(
                node,
                replica -> {
                    current[0] = replica;
                    return replica.getLeading()
                            && replica.getLastIndex() >= WRITTEN_INDEX_MIN
                            && replica.getAppliedIndex() == replica.getLastIndex();
                });
        return current[0];
    }

    private long appliedTerm(TestCluster cluster, String node) {
        return current(cluster, node).getAppliedTerm();
    }

    @Test
    void followersElectAtEndOfLease_whenLeadersConnectionsClose() throws Exception {
        try (LogLines elections = elections();
                TestCluster cluster = start(elections, LEASE)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            List<String> others = others(cluster, leader);
            cluster.awaitLevel(cluster.founders());
            // One follower at least has taken this, and both are needed to elect another leader.
            long heardNanos = System.nanoTime();
            write(cluster, leader);

            others.forEach(other -> cluster.network().breakBothWays(leader, other));
            String next = "";
            while (next.isEmpty()) {
                long askedNanos = System.nanoTime();
                next =
                        others.stream()
                                .filter(node -> cluster.report(node, ReplicaReport::getLeading))
                                .findFirst()
                                .orElse("");
                assertThat(askedNanos - heardNanos).isLessThan(TIMEOUT.toNanos());
            }
            assertThat(System.nanoTime() - heardNanos).isGreaterThan(LEASE.toNanos());
            // The old leader still takes itself for one, and reads nothing.
            assertThat(cluster.report(leader, ReplicaReport::getLeading)).isTrue();
            assertThat(readFirst(cluster, leader, elections).hasNotLeader()).isTrue();

            cluster.network().heal();
            cluster.client.write(3);
            cluster.awaitLevel(cluster.founders());
        }
    }

    @Test
    void leaderStaysInItsTerm_whenOnlyOneFollowersConnectionIsClosed() throws Exception {
        try (LogLines elections = elections();
                TestCluster cluster = start(elections, Duration.ofMillis(100))) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            long term = appliedTerm(cluster, leader);
            cluster.awaitLevel(cluster.founders());

            cluster.network().breakBothWays(leader, others(cluster, leader).get(0));
            // It may ask the third member only, which hears the leader.
            TestCluster.await()
                    .until(() -> elections.contains("PRE_VOTE round 0: result REJECTED"));
            write(cluster, leader);
            write(cluster, leader);
            cluster.network().heal();

            cluster.awaitLevel(cluster.founders());
            write(cluster, leader);
            write(cluster, leader);
            assertThat(appliedTerm(cluster, leader)).isEqualTo(term);
        }
    }

    @Test
    void leaderStaysInItsTerm_whenItReconnectsWithinItsLease() throws Exception {
        try (LogLines elections = elections();
                TestCluster cluster = start(elections, LEASE)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            long term = appliedTerm(cluster, leader);
            cluster.awaitLevel(cluster.founders());
            write(cluster, leader);
            long asked = elections.count("PRE_VOTE");

            others(cluster, leader)
                    .forEach(other -> cluster.network().resetBothWays(leader, other));

            write(cluster, leader);
            write(cluster, leader);
            cluster.awaitLevel(cluster.founders());
            assertThat(appliedTerm(cluster, leader)).isEqualTo(term);
            assertThat(elections.count("PRE_VOTE")).isEqualTo(asked);
        }
    }

    @Test
    void lastEntryCommits_whenItsAcknowledgementsAreLost() throws Exception {
        try (LogLines elections = elections();
                TestCluster cluster = start(elections, LEASE)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            long term = appliedTerm(cluster, leader);
            cluster.awaitLevel(cluster.founders());
            List<String> others = others(cluster, leader);
            write(cluster, leader);
            cluster.awaitLevel(cluster.founders());
            long last = current(cluster, leader).getLastIndex();
            others.forEach(other -> cluster.network().cut(other, leader));

            CompletableFuture<Boolean> written =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    write(cluster, leader);
                                    return true;
                                } catch (Exception failure) {
                                    throw new CompletionException(failure);
                                }
                            });
            for (String other : others) {
                cluster.awaitReport(other, replica -> replica.getLastIndex() > last);
            }
            // The answers on their way are lost with the connections.
            cluster.network().healForNewConnections();
            others.forEach(other -> cluster.network().resetBothWays(leader, other));

            assertThat(written).succeedsWithin(TIMEOUT).isEqualTo(true);
            assertThat(appliedTerm(cluster, leader)).isEqualTo(term);
            cluster.awaitReport(leader, replica -> replica.getLastIndex() == last + 1);
        }
    }

    @Test
    void matchIndexReachesCommit_whenAcknowledgementIsLost() throws Exception {
        try (LogLines elections = elections();
                TestCluster cluster = start(elections, LEASE)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            cluster.awaitLevel(cluster.founders());
            write(cluster, leader);
            cluster.awaitLevel(cluster.founders());
            long last = current(cluster, leader).getLastIndex();
            String other = others(cluster, leader).get(0);
            cluster.network().cut(other, leader);

            write(cluster, leader);
            cluster.awaitReport(other, replica -> replica.getLastIndex() > last);
            cluster.network().healForNewConnections();
            cluster.network().resetBothWays(leader, other);

            cluster.awaitReport(
                    leader,
                    replica ->
                            replica.getFollowersList().stream()
                                    .anyMatch(
                                            each ->
                                                    each.getNodeId().equals(other)
                                                            && each.getMatchIndex() == last + 1));
        }
    }

    /** The next heartbeat is due after half of the election timeout. */
    @Test
    void readsAreAnswered_whenQuietLeadersLeaseIsOver() throws Exception {
        try (LogLines elections = elections();
                TestCluster cluster = start(elections, Duration.ofMillis(30))) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            cluster.awaitLevel(cluster.founders());
            for (int i = 0; i < 20; i++) {
                awaitEndOfLease();
                assertThat(readFirst(cluster, leader, elections).hasRow()).isTrue();
            }
            others(cluster, leader).forEach(other -> cluster.network().cutBothWays(leader, other));
            awaitEndOfLease();
            assertThat(readFirst(cluster, leader, elections).hasNotLeader()).isTrue();
            cluster.network().heal();
        }
    }

    private static void awaitEndOfLease() {
        long begunNanos = System.nanoTime();
        TestCluster.await()
                .until(() -> System.nanoTime() - begunNanos > TimeUnit.MILLISECONDS.toNanos(60));
    }
}

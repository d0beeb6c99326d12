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
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.server.raft.RaftSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;

/** Calls and checks for a range with three replicas whose network can fail. */
abstract class NetworkFaults {
    /** How long a leader may read after the last message that a majority has answered. */
    static final Duration LEASE =
            RaftSettings.readLease(
                    new TestRaft()
                            .withElectionTimeout(
                                    TestCluster.ELECTION_TIMEOUT_MIN,
                                    TestCluster.ELECTION_TIMEOUT_MIN.multipliedBy(2))
                            .build());

    /** For what one leader does all the time: a busy machine may hold up others for a while. */
    static final Duration CALM = Duration.ofSeconds(1);

    /** So long that no busy machine keeps a leader that writes from being heard in between. */
    static final Duration LONG_LEASE = Duration.ofMillis(1_500);

    /** When it is hopeless that another leader will come; how soon one does is not asked here. */
    private static final Duration HOPELESS = Duration.ofSeconds(60);

    @TempDir Path folder;

    TestCluster start() throws Exception {
        return start(TestCluster.ELECTION_TIMEOUT_MIN);
    }

    TestCluster start(Duration electionTimeoutMin) throws Exception {
        return TestCluster.in(folder).withNetwork().electionTimeoutMin(electionTimeoutMin).start();
    }

    static List<String> others(TestCluster cluster, String node) {
        List<String> others = new ArrayList<>(cluster.founders());
        others.remove(node);
        return others;
    }

    static RangeResponse ask(TestCluster cluster, String node, RangeRequest.Builder request)
            throws Exception {
        return cluster.node(node).client().call(request.clone());
    }

    static RangeRequest.Builder page() {
        return scan(KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE)), 1000);
    }

    static String awaitOtherLeader(TestCluster cluster, String old) {
        return TestCluster.await()
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
    static void awaitFollower(TestCluster cluster, String node) {
        cluster.awaitReport(node, replica -> !replica.getLeading());
    }

    /**
     * Asks a leader that is cut off until another leads, and some more: no read that begins after
     * its lease may be answered.
     *
     * @param sinceNanos before the cut
     */
    static String assertReadsEndWithTheLease(TestCluster cluster, String cutOff, long sinceNanos)
            throws Exception {
        String next = "";
        long anotherLedNanos = 0;
        while (next.isEmpty()
                || System.nanoTime() - anotherLedNanos < Duration.ofSeconds(1).toNanos()) {
            long begunNanos = System.nanoTime();
            RangeResponse answer = ask(cluster, cutOff, read(key("p", "00000001")));
            if (begunNanos - sinceNanos > LEASE.toNanos()) {
                assertThat(answer.hasNotLeader()).as(answer.toString()).isTrue();
            }
            assertThat(begunNanos - sinceNanos).isLessThan(HOPELESS.toNanos());
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
    static CompletableFuture<RangeResponse> writeInVain(TestCluster cluster, String node) {
        return cluster.node(node)
                .client()
                .send(command(insert(1_000_000, "q", "in vain", "x")).setTimeLeftMillis(15_000));
    }

    static void assertWasInVain(TestCluster cluster, CompletableFuture<RangeResponse> write)
            throws Exception {
        RangeResponse answer = write.get(60, TimeUnit.SECONDS);
        assertThat(answer.hasNotLeader() || answer.hasInDoubt()).as(answer.toString()).isTrue();
        for (String node : cluster.founders()) {
            cluster.assertAllThereAt(node, 1);
            assertThat(cluster.client.call(read(key("q", "in vain"))).getRow().hasValue())
                    .isFalse();
        }
    }

    /** In milliseconds, once the member can tell. */
    static long staleness(TestCluster cluster, String node) {
        return TestCluster.await()
                .until(
                        () -> ask(cluster, node, page().setFollowerRead(true)),
                        RangeResponse::hasStalenessMillis)
                .getStalenessMillis();
    }

    static void awaitRows(TestCluster cluster, String node, long count) {
        TestCluster.await()
                .until(
                        () ->
                                ask(cluster, node, page().setFollowerRead(true))
                                                .getScanPage()
                                                .getRowCount()
                                        == count);
    }

    long nextRow = 1;

    /** Through this very node, which has to lead all the time. */
    void write(TestCluster cluster, String leader, int count) throws Exception {
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

    static String versionText(int version) {
        return String.format("%06d", version);
    }
}

package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.testing.TestPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A range with three replicas, all nodes in this process. */
final class ReplicationIT {
    private static final List<String> NODES = List.of("node-1", "node-2", "node-3");
    private static final RangeDescriptor RANGE =
            new RangeDescriptor(
                    new RangeId(1),
                    KeyRange.ALL,
                    Generation.FIRST,
                    NODES.stream().map(NodeId::new).toList());

    @TempDir Path folder;

    private FakeManager manager = new FakeManager("cluster-1", List.of(RANGE));
    private final Map<String, RunningServer> running = new LinkedHashMap<>();

    @AfterEach
    void stop() {
        running.values().forEach(RunningServer::close);
        running.clear();
    }

    private void start(String node) throws Exception {
        start(node, TestPorts.next());
    }

    /** Members find each other by the port a node had when the range was made. */
    private void start(String node, int raftPort) throws Exception {
        TestConfig config =
                RunningServer.config(folder.resolve(node))
                        .withNodeId(node)
                        .withRaft(
                                new TestRaft()
                                        .withAddress("127.0.0.1", raftPort)
                                        .withElectionTimeout(
                                                Duration.ofMillis(300), Duration.ofMillis(600))
                                        .withFirstElection(
                                                TestCluster.FIRST_ELECTION_MIN,
                                                TestCluster.FIRST_ELECTION_MAX)
                                        .build());
        running.put(node, RunningServer.start(config, manager));
    }

    private static int raftPort(RunningServer server) {
        String address = server.server.raftAddress();
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    /** Sends to one node after the other until one that leads has answered. */
    private RangeResponse call(RangeRequest.Builder request, AtomicReference<String> leader) {
        AtomicReference<RangeResponse> answer = new AtomicReference<>();
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            for (Map.Entry<String, RunningServer> node : running.entrySet()) {
                                answer.set(node.getValue().client().call(request.clone()));
                                if (!answer.get().hasNotLeader() && !answer.get().hasStaleRange()) {
                                    leader.set(node.getKey());
                                    return true;
                                }
                            }
                            return false;
                        });
        return answer.get();
    }

    @Test
    void ackedWriteSurvivesAndRetryGetsSameOutcome_whenLeaderDies() throws Exception {
        for (String node : NODES) {
            start(node);
        }
        AtomicReference<String> leader = new AtomicReference<>();
        RangeResponse first = call(command(insert(1, "a", "1", "one")), leader);
        assertThat(first.getOutcome().hasWritten()).isTrue();
        for (String node : NODES) {
            if (!node.equals(leader.get())) {
                RangeClient follower = running.get(node).client();
                // It may not have heard of a leader yet: two of three have elected one.
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(
                                () ->
                                        follower.call(read(key("a", "1")))
                                                .getNotLeader()
                                                .getLeaderHint(),
                                leader.get()::equals);
                assertThat(
                                follower.call(command(insert(2, "a", "2", "two")))
                                        .getNotLeader()
                                        .getLeaderHint())
                        .isEqualTo(leader.get());
            }
        }
        String killed = leader.get();
        int raftPort = raftPort(running.get(killed));
        running.remove(killed).kill();

        RangeResponse repeat = call(command(insert(1, "a", "1", "one")), leader);
        assertThat(repeat.getOutcome()).isEqualTo(first.getOutcome());
        assertThat(leader.get()).isNotEqualTo(killed);
        for (int i = 3; i < 20; i++) {
            assertThat(call(command(insert(i, "a", "" + i, "x")), leader).getOutcome().hasWritten())
                    .isTrue();
        }

        start(killed, raftPort);
        running.remove(leader.get()).kill();
        RangeResponse page =
                call(scan(KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE)), 100), leader);
        assertThat(page.getScanPage().getRowCount()).isEqualTo(18);
    }

    @Test
    void leadershipIsTransferred_beforeOrderlyShutdown() throws Exception {
        for (String node : NODES) {
            start(node);
        }
        AtomicReference<String> leader = new AtomicReference<>();
        call(command(insert(1, "a", "1", "one")), leader);
        String ending = leader.get();
        Awaitility.await().until(() -> running.get(ending).server.missing().isEmpty());

        running.get(ending).server.transferLeadership(Duration.ofSeconds(20));

        assertThat(running.get(ending).client().call(read(key("a", "1"))).hasNotLeader()).isTrue();
        call(command(insert(2, "a", "2", "two")), leader);
        assertThat(leader.get()).isNotEqualTo(ending);
    }

    @Test
    void leaderStopsServingReads_whenFollowersAreDown() throws Exception {
        for (String node : NODES) {
            start(node);
        }
        AtomicReference<String> leader = new AtomicReference<>();
        call(command(insert(1, "a", "1", "one")), leader);
        assertThat(call(read(key("a", "1")), leader).getRow().hasValue()).isTrue();
        RangeClient client = running.get(leader.get()).client();

        for (String node : NODES) {
            if (!node.equals(leader.get())) {
                running.remove(node).kill();
            }
        }

        Awaitility.await().until(() -> client.call(read(key("a", "1"))).hasNotLeader());
        RangeResponse write = client.call(command(insert(2, "a", "2", "two")));
        assertThat(write.hasNotLeader() || write.hasInDoubt()).as(write.toString()).isTrue();
    }

    /**
     * A leader that lost touch with all others steps down, and is the only one who can lead again:
     * it has an entry that the others lack. Ratis alone has it wait for ten seconds first, so one
     * time that takes less proves that it does not wait; a busy machine may need some tries.
     */
    @Test
    void leaderRegainsLeadershipInTenSeconds_whenFollowerReturns() throws Exception {
        List<Duration> took = new ArrayList<>();
        Path all = folder;
        for (int round = 0; round < 5; round++) {
            folder = all.resolve("round-" + round);
            manager = new FakeManager("cluster-1", List.of(RANGE));
            Optional<Duration> regained = regainLeadership();
            stop();
            if (regained.filter(each -> each.compareTo(Duration.ofSeconds(10)) < 0).isPresent()) {
                return;
            }
            regained.ifPresent(took::add);
        }
        assumeThat(took).as("no leader lost touch with one entry more").isNotEmpty();
        fail("after its fall it led again only after " + took);
    }

    /** From when it lost touch on, or nothing if it did not come to that. */
    private Optional<Duration> regainLeadership() throws Exception {
        for (String node : NODES) {
            start(node);
        }
        AtomicReference<String> leader = new AtomicReference<>();
        call(command(insert(1, "a", "1", "one")), leader);
        String alone = leader.get();
        RangeClient client = running.get(alone).client();
        List<String> others = NODES.stream().filter(node -> !node.equals(alone)).toList();
        String returning = others.get(0);
        int raftPort = raftPort(running.get(returning));
        running.remove(returning).kill();
        // Acknowledged by the two that are left, and so nothing that the other one has.
        AtomicReference<String> leads = new AtomicReference<>();
        call(command(insert(2, "a", "2", "two")), leads);
        if (!leads.get().equals(alone)) {
            // On a busy machine another one was elected.
            return Optional.empty();
        }
        AtomicLong downNanos = new AtomicLong();
        CompletableFuture<RangeResponse> firstNotWritten =
                CompletableFuture.supplyAsync(() -> writeUntilOneFails(client, downNanos));
        running.remove(others.get(1)).kill();
        // It may have given up on a busy machine before it had appended anything more.
        if (!firstNotWritten.get(60, TimeUnit.SECONDS).hasInDoubt()) {
            return Optional.empty();
        }

        start(returning, raftPort);
        call(command(insert(100_000, "a", "last", "three")), leader);
        Duration served = Duration.ofNanos(System.nanoTime() - downNanos.get());
        assertThat(leader.get()).isEqualTo(alone);
        return Optional.of(served);
    }

    private static RangeResponse writeUntilOneFails(RangeClient client, AtomicLong failedNanos) {
        try {
            for (int i = 3; ; i++) {
                RangeResponse answer = client.call(command(insert(i, "a", "" + i, "x")));
                if (!answer.getOutcome().hasWritten()) {
                    failedNanos.set(System.nanoTime());
                    return answer;
                }
            }
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }
}

package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.EntityCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.raft.RaftConfig;
import io.parterre.testing.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Conditional writes through leaders whose clocks are five seconds apart. */
final class MovedLeadershipIT {
    /** By how much each node's clock is ahead. */
    private static final Map<String, Duration> CLOCKS =
            Map.of(
                    "node-1", Duration.ZERO,
                    "node-2", Duration.ofSeconds(5),
                    "node-3", Duration.ofSeconds(-5));

    private static final List<String> NODES = CLOCKS.keySet().stream().sorted().toList();
    private static final RangeDescriptor RANGE =
            new RangeDescriptor(
                    new RangeId(1),
                    KeyRange.ALL,
                    Generation.FIRST,
                    NODES.stream().map(NodeId::new).toList());
    private static final int ROUNDS = Tier.size("parterre.leader.moves", 20, 100);

    /** So patient that a busy machine deposes nobody: who leads is the test's to say. */
    private static final RaftConfig PATIENT =
            new RaftConfig(
                    "127.0.0.1",
                    0,
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(5),
                    RaftConfig.DEFAULT.packBytesMax(),
                    RaftConfig.DEFAULT.entriesInFlightMax(),
                    RaftConfig.DEFAULT.queuedCommandsMax(),
                    RaftConfig.DEFAULT.queuedBytesMax(),
                    RaftConfig.DEFAULT.preservedLogBytes());

    @TempDir Path folder;

    private final FakeManager manager = new FakeManager("cluster-1", List.of(RANGE));
    private final Map<String, RunningServer> running = new LinkedHashMap<>();
    private String leader = "";

    @AfterEach
    void stop() {
        running.values().forEach(RunningServer::close);
    }

    @Test
    @Timeout(300)
    void f075ConditionsHoldAndETagsGrow_whenLeaderClocksDiffer() throws Exception {
        for (String node : NODES) {
            running.put(
                    node,
                    RunningServer.start(
                            RunningServer.config(folder.resolve(node))
                                    .withNodeId(node)
                                    .withRaft(PATIENT),
                            manager,
                            () -> Instant.now().plus(CLOCKS.get(node))));
        }
        long etag = written(call(command(insert(1, "p", "r", "0"))));
        int moved = 0;
        try (RaftClient raft = raftClient()) {
            for (int round = 1; round <= ROUNDS; round++) {
                String next = NODES.get(round % NODES.size());
                long read = etagOnLeader();
                moveLeadership(raft, next);
                assertThat(etagOnLeader())
                        .as("round %s, at %s", round, next)
                        .isEqualTo(etag)
                        .isEqualTo(read);

                etag = written(call(update(2 * round, read, "" + round)));
                moved += leader.equals(next) ? 1 : 0;
                assertThat(etag).as("round %s, by %s", round, leader).isGreaterThan(read);
                RangeResponse late = call(update(2 * round + 1, read, "late"));
                assertThat(late.getOutcome().getRejected().getCode())
                        .isEqualTo("UpdateConditionNotSatisfied");
            }
            for (String node : NODES) {
                moveLeadership(raft, node);
                assertThat(etagOnLeader()).as("what %s stored", node).isEqualTo(etag);
            }
        }
        // A busy machine may depose a leader at any time, but not in most rounds.
        assertThat(moved).isGreaterThan(ROUNDS / 2);
    }

    /**
     * Asks again when Ratis gives up: it tells the target once, and a timer that an earlier request
     * left behind ends a later one.
     */
    private static void moveLeadership(RaftClient raft, String node) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(
                        () ->
                                raft.admin()
                                        .transferLeadership(
                                                RaftPeerId.valueOf(node),
                                                Duration.ofSeconds(3).toMillis())
                                        .isSuccess());
    }

    private RaftClient raftClient() {
        List<RaftPeer> peers =
                NODES.stream()
                        .map(
                                node ->
                                        RaftPeer.newBuilder()
                                                .setId(node)
                                                .setAddress(running.get(node).server.raftAddress())
                                                .build())
                        .toList();
        return RaftClient.newBuilder()
                .setProperties(new RaftProperties())
                .setRaftGroup(
                        RaftGroup.valueOf(RaftGroupId.valueOf(RANGE.rangeId().groupId()), peers))
                .build();
    }

    private static RangeRequest.Builder update(long sequence, long ifMatch, String text) {
        Command.Builder update =
                Commands.write(sequence, EntityOperation.Kind.UPDATE, "p", "r", text);
        update.getWriteEntitiesBuilder().getOperationsBuilder(0).setIfMatchTicks(ifMatch);
        return command(update);
    }

    private static long written(RangeResponse response) {
        assertThat(response.getOutcome().hasWritten()).as("%s", response).isTrue();
        return response.getOutcome().getWritten().getTimestampTicks(0);
    }

    private long etagOnLeader() {
        byte[] value = call(read(key("p", "r"))).getRow().getValue().toByteArray();
        return EntityCodec.timestampTicks(value);
    }

    /** Sends to one node after the other until one that leads has answered, and notes which. */
    private RangeResponse call(RangeRequest.Builder request) {
        AtomicReference<RangeResponse> answer = new AtomicReference<>();
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            for (String node : NODES) {
                                answer.set(running.get(node).client().call(request.clone()));
                                if (isFinal(answer.get())) {
                                    leader = node;
                                    return true;
                                }
                            }
                            return false;
                        });
        return answer.get();
    }

    /** Anything else is asked again: a repeated command is executed once. */
    private static boolean isFinal(RangeResponse answer) {
        return !answer.hasNotLeader() && !answer.hasStaleRange() && !answer.hasInDoubt();
    }
}

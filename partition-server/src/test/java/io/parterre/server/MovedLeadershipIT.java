package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.EntityCodec;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.testing.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
    private static final int ROUNDS = Tier.size("parterre.leader.moves", 20, 100);

    /** So patient that a busy machine deposes nobody: who leads is the test's to say. */
    private static final Duration ELECTION_TIMEOUT_MIN = Duration.ofSeconds(3);

    @TempDir Path folder;

    private TestCluster cluster;
    private String leader = "";

    @BeforeEach
    void start() throws Exception {
        cluster = TestCluster.in(folder).electionTimeoutMin(ELECTION_TIMEOUT_MIN).founded();
        cluster.withClocks(node -> () -> Instant.now().plus(CLOCKS.get(node)));
        for (String node : NODES) {
            cluster.start(node);
        }
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @Timeout(300)
    void f075ConditionsHoldAndETagsGrow_whenLeaderClocksDiffer() throws Exception {
        long etag = written(call(command(insert(1, "p", "r", "0"))));
        int moved = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            String next = NODES.get(round % NODES.size());
            long read = etagOnLeader();
            cluster.lead(next, 1);
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
            cluster.lead(node, 1);
            assertThat(etagOnLeader()).as("what %s stored", node).isEqualTo(etag);
        }
        // A busy machine may depose a leader at any time, but not in most rounds.
        assertThat(moved).isGreaterThan(ROUNDS / 2);
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
                                answer.set(cluster.node(node).client().call(request.clone()));
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

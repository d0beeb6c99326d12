package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.Operator;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Registers;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operator has one server after the other lead, under load: no call fails, no read goes back,
 * and writes go on at once. {@code -Dparterre.chaos.moves=N} sets how often.
 */
@Course
class LeaderMoveIT {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderMoveIT.class);

    private static final int MOVES = Integer.getInteger("parterre.chaos.moves", 40);
    private static final int WRITERS = 4;
    private static final int WRITES_AFTER_MOVE = 40;
    private static final Duration MOVED_WITHIN = Duration.ofSeconds(60);
    private static final Duration SILENCE_MAX = Duration.ofSeconds(10);

    @Test
    void noCallFails_whileLeadershipIsTransferred() {
        try (ClusterRun run = ClusterRun.start("leader-move")) {
            SplittableRandom random = run.random();
            Writers writers = new Writers("Moved", WRITERS, random.nextLong(), ClusterRun.PACE);
            Registers registers = new Registers("Registers");
            List<TableConnection> connections = run.connections();
            connections.get(0).createTable(writers.table());
            connections.get(0).createTable(registers.table());
            writers.start(connections);
            registers.start(connections);
            Durations silences = new Durations();
            Durations moves = new Durations();
            for (int i = 1; i <= MOVES; i++) {
                writers.awaitAcknowledged(WRITES_AFTER_MOVE);
                long begunNanos = System.nanoTime();
                writers.pulse().watchFrom(begunNanos);
                String to = moveLead(run, random);
                moves.add(Duration.ofNanos(System.nanoTime() - begunNanos));
                writers.awaitAcknowledged(WRITES_AFTER_MOVE);
                silences.add(writers.pulse().longestSilence());
                LOG.info(
                        "move number={} to={} longestSilenceMillis={}",
                        i,
                        to,
                        writers.pulse().longestSilence().toMillis());
            }
            writers.stop();
            registers.stop();
            LOG.info(
                    "leader moves seed={} writes={} reads={} failed={} unanswered={}"
                            + " move {} longest silence {}",
                    run.seed(),
                    writers.acknowledged() + registers.writes(),
                    registers.reads(),
                    writers.failed() + registers.failed(),
                    writers.unanswered() + registers.unanswered(),
                    moves,
                    silences);
            run.assertNone(
                    new Verification(connections.get(0), writers).ofEverything(), "in the end");
            run.assertNone(registers.violations(), "in the end");
            run.assertNoFailedCall(writers, registers);
            assertThat(silences.percentile(100))
                    .as("longest silence between two writes, seed %s", run.seed())
                    .isLessThan(SILENCE_MAX);
        }
    }

    /** Has another member lead, and waits until it does. */
    private static String moveLead(ClusterRun run, SplittableRandom random) {
        Operator operator = run.cluster().operator();
        String leader = run.cluster().leadingServer();
        List<String> others =
                operator.members().stream().filter(node -> !node.equals(leader)).toList();
        String to = others.get(random.nextInt(others.size()));
        operator.ask("move-leader", operator.firstRange(), to);
        await("lead of " + to)
                .atMost(MOVED_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> run.cluster().leads(to));
        return to;
    }
}

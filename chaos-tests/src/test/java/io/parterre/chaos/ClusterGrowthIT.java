package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.Operator;
import io.parterre.chaos.process.SettingsLine;
import io.parterre.chaos.workload.Registers;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.node.RoleName;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster grows from three servers to five, loses one for good, which is replaced, and shrinks
 * to three again, all under load. Replicas and leads move, the leading manager is killed in the
 * middle of a move, a front end sleeps through one, and clients notice nothing.
 */
@Course
class ClusterGrowthIT {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterGrowthIT.class);

    private static final int WRITERS = 4;
    private static final Duration STEP_WITHIN = Duration.ofSeconds(120);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final String STALE_RANGES = "front_end_setbacks_total{reason=\"stale_range\"}";

    /** Soon enough for a test, late enough for a busy machine. */
    private static final SettingsLine DEAD_AFTER =
            new SettingsLine("manager.policy.deadAfter", "12s");

    @Test
    void noCallFails_whileClusterGrowsReplacesServerAndShrinks() {
        try (ClusterRun run = ClusterRun.start("cluster-growth", DEAD_AFTER)) {
            Writers writers =
                    new Writers("Grown", WRITERS, run.random().nextLong(), ClusterRun.PACE);
            Registers registers = new Registers("Registers");
            List<TableConnection> connections = run.connections();
            connections.get(0).createTable(writers.table());
            connections.get(0).createTable(registers.table());
            writers.start(connections);
            registers.start(connections);

            String fourth = run.cluster().addServer();
            String fifth = run.cluster().addServer();
            String manager = run.cluster().leadingManager();
            moveReplica(run, "s1", fourth, () -> run.cluster().kill(manager));
            run.cluster().restart(manager);
            run.cluster().awaitHealthy();
            moveLead(run, fourth);
            moveUnderAnOldMap(run, "s2", fifth);
            check(run, writers, registers, "grown to five");

            run.cluster().kill(fourth);
            awaitMembers(run, "replacement of " + fourth, members -> !members.contains(fourth));
            check(run, writers, registers, "the lost server replaced");

            decommission(run, fourth);
            decommission(run, fifth);
            run.cluster().stop(fifth);
            assertThat(run.cluster().operator().members())
                    .containsExactlyInAnyOrder("s1", "s2", "s3");
            moveLead(run, "s1");
            moveLead(run, "s2");
            check(run, writers, registers, "shrunk to three");

            writers.stop();
            registers.stop();
            assertThat(staleRanges(run)).as("calls routed by an old map").isPositive();
            LOG.info(
                    "growth seed={} writes={} reads={} failed={} unanswered={} staleRanges={}",
                    run.seed(),
                    writers.acknowledged() + registers.writes(),
                    registers.reads(),
                    writers.failed() + registers.failed(),
                    writers.unanswered() + registers.unanswered(),
                    staleRanges(run));
            run.assertNone(
                    new Verification(connections.get(0), writers).ofEverything(), "in the end");
        }
    }

    private static void check(ClusterRun run, Writers writers, Registers registers, String when) {
        LOG.info("growth step={} members={}", when, run.cluster().operator().members());
        writers.awaitAcknowledged(50);
        run.cluster().awaitHealthy();
        run.assertNone(registers.violations(), when);
        run.assertNoFailedCall(writers, registers);
    }

    /** Moves it, and does something else as soon as the move has begun. */
    private static void moveReplica(ClusterRun run, String from, String to, Runnable meanwhile) {
        Operator operator = run.cluster().operator();
        operator.ask("move-replica", operator.firstRange(), "--from", from, "--to", to);
        meanwhile.run();
        awaitMembers(
                run,
                "move from " + from + " to " + to,
                members -> members.contains(to) && !members.contains(from));
    }

    /** One front end sleeps through it, and wakes up with a map of members that no longer exist. */
    private static void moveUnderAnOldMap(ClusterRun run, String from, String to) {
        String asleep = run.cluster().names(RoleName.FRONT_END).get(1);
        run.cluster().pause(asleep);
        moveReplica(run, from, to, () -> {});
        run.cluster().resume(asleep);
        run.cluster().awaitHealthy();
    }

    /** Calls that a server refused for the generation they were routed by. */
    private static double staleRanges(ClusterRun run) {
        return run.cluster().names(RoleName.FRONT_END).stream()
                .mapToDouble(name -> run.cluster().metric(name, STALE_RANGES))
                .sum();
    }

    private static void moveLead(ClusterRun run, String to) {
        Operator operator = run.cluster().operator();
        operator.ask("move-leader", operator.firstRange(), to);
        await("lead of " + to)
                .atMost(STEP_WITHIN)
                .pollInterval(POLL)
                .until(() -> run.cluster().leads(to));
    }

    /** Has a server leave, and waits until it holds nothing and no longer exists. */
    private static void decommission(ClusterRun run, String server) {
        Operator operator = run.cluster().operator();
        operator.ask("decommission", server);
        await("leave of " + server)
                .atMost(STEP_WITHIN)
                .pollInterval(POLL)
                .until(() -> operator.node(server).filter(ClusterGrowthIT::isThere).isEmpty());
    }

    private static boolean isThere(JsonNode node) {
        return !node.path("node").path("state").asText().equals("removed");
    }

    private static void awaitMembers(ClusterRun run, String what, Predicate<List<String>> enough) {
        Operator operator = run.cluster().operator();
        await(what)
                .atMost(STEP_WITHIN)
                .pollInterval(POLL)
                .until(
                        operator::tryMembers,
                        members ->
                                members.filter(some -> some.size() == 3 && enough.test(some))
                                        .isPresent());
    }
}

package io.parterre.server;

import static io.parterre.server.RangeClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.Ticks;
import io.parterre.error.BusyReason;
import io.parterre.proto.range.RangeResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose clock is an hour ahead, as the manager tells it. */
@Timeout(240)
final class ClockAheadIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");

    @TempDir Path folder;

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ofHours(1));

    private TestCluster cluster() throws Exception {
        TestCluster cluster = TestCluster.in(folder).founded();
        cluster.withClocks(
                node ->
                        node.equals("node-1")
                                ? () -> Instant.now().plus(ahead.get())
                                : InstantSource.system());
        cluster.manager.judgesClocks();
        for (String node : THREE) {
            cluster.start(node);
        }
        return cluster;
    }

    private static void assertRight(RangeResponse written) {
        assertThat(written.getOutcome().getWritten().getTimestampTicks(0))
                .isLessThan(Ticks.of(Instant.now().plus(Duration.ofMinutes(30))));
    }

    @Test
    void nodeWithClockAheadDoesNotLead_andTimestampsStayRight() throws Exception {
        try (TestCluster cluster = cluster()) {
            for (int i = 0; i < 5; i++) {
                assertRight(cluster.client.put("p", "r" + i, "v"));
            }
            assertThat(cluster.awaitLeader()).isIn("node-2", "node-3");
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.node("node-1")
                                            .server
                                            .missing()
                                            .filter(why -> why.contains("its clock is 3600 s"))
                                            .isPresent());
            for (String other : List.of("node-2", "node-3")) {
                // By any leader: leadership does not go to the one that is ahead, or not for long.
                cluster.lead(other, 1);
                assertRight(cluster.client.put("p", "r-" + other, "v"));
            }
            cluster.assertSameRows(THREE);
            assertThat(cluster.node("node-1").failures).isEmpty();
        }
    }

    @Test
    void leadershipMoves_whileLeadersClockIsAhead() throws Exception {
        ahead.set(Duration.ZERO);
        try (TestCluster cluster = cluster()) {
            cluster.lead("node-1", 1);
            cluster.client.write(3);
            cluster.manager.tellsClockAhead("node-1", Duration.ofHours(1));
            TestCluster.await()
                    .until(
                            () ->
                                    THREE.subList(1, 3).stream()
                                            .anyMatch(
                                                    node ->
                                                            cluster.report(
                                                                    node,
                                                                    replica ->
                                                                            replica.getLeading())));
            cluster.client.write(3);
            TestCluster.await().until(() -> cluster.reports.clockToldAhead("node-1"));

            cluster.manager.tellsClockAhead("node-1", Duration.ZERO);
            TestCluster.await().until(() -> !cluster.reports.clockToldAhead("node-1"));
            cluster.lead("node-1", 1);
            cluster.client.write(3);
            cluster.client.assertAllThere();
        }
    }

    @Test
    void onlyMemberRefusesWritesAsBusy_whileItsClockIsAhead() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).nodes("node-1").founded()) {
            cluster.start("node-1");
            assertRight(cluster.client.put("p", "r", "1"));
            cluster.manager.tellsClockAhead("node-1", Duration.ofHours(1));
            TestCluster.await().until(() -> cluster.reports.clockToldAhead("node-1"));
            RangeResponse refused =
                    cluster.node("node-1")
                            .client()
                            .call(command(Commands.insert(77, "p", "r2", "2")));
            assertThat(refused.getBusy().getReason()).isEqualTo(BusyReason.CLOCK.text());
            assertThat(
                            cluster.node("node-1")
                                    .client()
                                    .call(RangeClient.read(Commands.key("p", "r"))))
                    .matches(RangeResponse::hasRow);

            cluster.manager.tellsClockAhead("node-1", Duration.ZERO);
            assertRight(cluster.client.put("p", "r2", "2"));
        }
    }
}

package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node and several managers, of which one leads. */
final class ManagerLinkIT {
    @TempDir Path folder;

    private final FakeManager first = new FakeManager("cluster-1", List.of(RunningServer.WHOLE));
    private final FakeManager second = new FakeManager("cluster-1", List.of(RunningServer.WHOLE));
    private final FakeManager third = new FakeManager("cluster-1", List.of(RunningServer.WHOLE));

    private RunningServer start() throws Exception {
        return RunningServer.start(
                RunningServer.config(folder).withHeartbeatInterval(Duration.ofMillis(100)),
                List.of(first, second, third));
    }

    private static void awaitReport(FakeManager manager) {
        int before = manager.reports().size();
        Awaitility.await().until(() -> manager.reports().size() > before);
    }

    @Test
    void nodeReportsToNamedLeader_whenAskedManagerIsNotLeader() throws Exception {
        first.stepsDown(Optional.of("manager-3"));
        second.stepsDown(Optional.empty());
        try (RunningServer server = start()) {
            awaitReport(third);
            assertThat(second.reports()).isEmpty();

            third.stepsDown(Optional.of("manager-2"));
            second.leads();
            awaitReport(second);
        }
    }

    @Test
    void nodeTriesNextManager_whenNoLeaderIsNamed() throws Exception {
        first.stepsDown(Optional.empty());
        second.stepsDown(Optional.empty());
        third.stepsDown(Optional.empty());
        try (RunningServer server = start()) {
            awaitReport(third);
            second.leads();
            Awaitility.await().untilAsserted(() -> assertThat(second.ordersGiven()).isPositive());
        }
    }

    @Test
    void readinessGivesReason_whenManagerRejectsNodeFromStart() throws Exception {
        first.stepsDown(Optional.empty());
        third.stepsDown(Optional.empty());
        second.refuses("node-1 has left the cluster");
        try (RunningServer server = start()) {
            Awaitility.await()
                    .untilAsserted(
                            () ->
                                    assertThat(server.server.missing())
                                            .contains(
                                                    "the partition manager refuses it: node-1 has"
                                                            + " left the cluster"));
        }
    }

    @Test
    void readinessNamesWhatIsMissing_untilManagerAcceptsReport() throws Exception {
        first.stepsDown(Optional.empty());
        second.stepsDown(Optional.empty());
        third.stepsDown(Optional.empty());
        try (RunningServer server = start()) {
            awaitReport(third);
            assertThat(server.server.missing())
                    .contains("no partition manager has taken its report yet");

            second.leads();
            Awaitility.await().until(() -> server.server.missing().isEmpty());

            second.refuses("node-1 has left the cluster");
            Awaitility.await()
                    .untilAsserted(
                            () ->
                                    assertThat(server.server.missing())
                                            .contains(
                                                    "the partition manager refuses it: node-1 has"
                                                            + " left the cluster"));

            second.leads();
            Awaitility.await().until(() -> server.server.missing().isEmpty());
        }
    }
}

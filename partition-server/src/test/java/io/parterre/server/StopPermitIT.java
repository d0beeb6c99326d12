package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.manager.HeartbeatRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that stops, and a manager that grants the disruption permit or does not. */
@Timeout(60)
final class StopPermitIT {
    private static final Duration PERMIT_FOR = Duration.ofMinutes(3);

    @TempDir Path folder;

    private final FakeManager manager = new FakeManager("cluster-1", List.of());

    private RunningServer start(FakeManager leader, StopConfig.Permit permit, Duration timeout)
            throws Exception {
        RunningServer started =
                RunningServer.start(
                        RunningServer.config(folder)
                                .withHeartbeatInterval(Duration.ofMillis(50))
                                .withStop(new StopConfig(permit, timeout, PERMIT_FOR)),
                        leader);
        Awaitility.await().until(() -> started.server.missing().isEmpty());
        return started;
    }

    private static List<HeartbeatRequest> requests(FakeManager leader) {
        return leader.reports().stream()
                .filter(report -> report.getStopPermitSeconds() != 0)
                .toList();
    }

    private static Set<String> processes(FakeManager leader) {
        return leader.reports().stream()
                .map(HeartbeatRequest::getProcess)
                .collect(Collectors.toSet());
    }

    @Test
    void stopWaits_untilManagerGrantsPermit() throws Exception {
        manager.grantsNoPermit("node node-2 holds the disruption permit");
        try (RunningServer server =
                start(manager, StopConfig.Permit.WAIT, Duration.ofSeconds(50))) {
            CompletableFuture<Void> stop =
                    CompletableFuture.runAsync(server.server::awaitStopPermit);
            Awaitility.await().until(() -> requests(manager).size() >= 3);
            assertThat(stop).isNotDone();
            assertThat(requests(manager).get(0).getStopPermitSeconds())
                    .isEqualTo((int) PERMIT_FOR.toSeconds());
            manager.grantsPermits();
            stop.get(50, TimeUnit.SECONDS);
        }
        assertThat(processes(manager)).hasSize(1).doesNotContain("");
        try (RunningServer next = start(manager, StopConfig.Permit.WAIT, Duration.ofSeconds(5))) {
            assertThat(processes(manager)).as("each start is another process").hasSize(2);
            assertThat(next.server.missing()).isEmpty();
        }
    }

    @Test
    void stopGoesOnWithoutPermit_whenTimeIsOver() throws Exception {
        manager.grantsNoPermit("node node-2 holds the disruption permit");
        try (RunningServer server =
                start(manager, StopConfig.Permit.WAIT, Duration.ofMillis(300))) {
            server.server.awaitStopPermit();
            assertThat(requests(manager)).isNotEmpty();
            int asked = requests(manager).size();
            int reported = manager.reports().size();
            Awaitility.await().until(() -> manager.reports().size() >= reported + 3);
            assertThat(requests(manager).size())
                    .as("one may have been under way")
                    .isLessThanOrEqualTo(asked + 1);
        }
    }

    /** No manager could grant it: the range would stand still. */
    @Test
    void stopAsksForNoPermit_whenRangeHasNoOtherMember() throws Exception {
        FakeManager leader = new FakeManager("cluster-1", List.of(RunningServer.WHOLE));
        try (RunningServer server = start(leader, StopConfig.Permit.WAIT, Duration.ofSeconds(50))) {
            Awaitility.await()
                    .until(
                            () ->
                                    leader.reports().stream()
                                            .anyMatch(each -> each.getReplicasCount() == 1));
            server.server.awaitStopPermit();
            assertThat(requests(leader)).isEmpty();
        }
    }

    @Test
    void stopAsksForNoPermit_unlessConfigured() throws Exception {
        try (RunningServer server = start(manager, StopConfig.Permit.NONE, PERMIT_FOR)) {
            server.server.awaitStopPermit();
            int reported = manager.reports().size();
            Awaitility.await().until(() -> manager.reports().size() >= reported + 3);
            assertThat(requests(manager)).isEmpty();
        }
    }
}

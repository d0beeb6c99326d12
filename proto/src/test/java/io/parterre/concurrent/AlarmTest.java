package io.parterre.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AlarmTest {
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final Alarm alarm = Alarm.of(timer, Runnable::run);

    @AfterEach
    void end() {
        timer.shutdownNow();
    }

    @Test
    void taskRuns_onceItsDelayHasPassed() {
        CompletableFuture<Void> rung = new CompletableFuture<>();
        alarm.in(Duration.ofMillis(1), () -> rung.complete(null));
        assertThat(rung).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void taskNeverRuns_whenItIsCancelled() {
        timer.setRemoveOnCancelPolicy(true);
        Runnable cancel = alarm.in(Duration.ofDays(1), () -> {});
        assertThat(timer.getQueue()).hasSize(1);
        cancel.run();
        assertThat(timer.getQueue()).isEmpty();
    }

    /** Who waits for a part that closes meanwhile is told by its end, not by an error here. */
    @Test
    void nothingIsSet_onceTheTimerHasEnded() {
        timer.shutdown();
        alarm.in(Duration.ZERO, () -> {}).run();
        assertThat(timer.getQueue()).isEmpty();
    }
}

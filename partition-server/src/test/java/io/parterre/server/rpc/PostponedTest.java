package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostponedTest {
    private static final Duration NEVER = Duration.ofHours(1);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    @Test
    void postponedTaskIsRetried_whenWoken() throws Exception {
        Postponed postponed = new Postponed(timer, NEVER);
        CountDownLatch tried = new CountDownLatch(2);
        postponed.add(tried::countDown);
        postponed.add(tried::countDown);
        postponed.wake();
        assertThat(tried.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void postponedTaskIsRetried_afterPauseWithoutWake() throws Exception {
        Postponed postponed = new Postponed(timer, Duration.ofMillis(1));
        CountDownLatch tried = new CountDownLatch(1);
        postponed.add(tried::countDown);
        assertThat(tried.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void postponedTaskIsRetriedOnce_whenWokenRepeatedly() throws Exception {
        Postponed postponed = new Postponed(timer, NEVER);
        AtomicInteger tries = new AtomicInteger();
        postponed.add(tries::incrementAndGet);
        postponed.wake();
        postponed.wake();
        // The timer has one thread: it comes to this after all that was to be tried.
        timer.submit(() -> {}).get(60, TimeUnit.SECONDS);
        postponed.wake();
        timer.submit(() -> {}).get(60, TimeUnit.SECONDS);
        assertThat(tries).hasValue(1);
    }

    @Test
    void postponedTaskWaitsForNextWake_whenPostponedAgain() throws Exception {
        Postponed postponed = new Postponed(timer, NEVER);
        AtomicInteger tries = new AtomicInteger();
        postponed.add(
                () -> {
                    tries.incrementAndGet();
                    postponed.add(tries::incrementAndGet);
                });
        postponed.wake();
        timer.submit(() -> {}).get(60, TimeUnit.SECONDS);
        assertThat(tries).hasValue(1);
        postponed.wake();
        timer.submit(() -> {}).get(60, TimeUnit.SECONDS);
        assertThat(tries).hasValue(2);
    }

    @Test
    void postponingIsRejected_whenTimerIsShutDown() {
        timer.shutdownNow();
        Postponed postponed = new Postponed(timer, NEVER);
        assertThatThrownBy(() -> postponed.add(() -> {}))
                .isInstanceOf(RejectedExecutionException.class);
    }
}

package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ReadPoolTest {
    @Test
    void refusesWhatItsQueueDoesNotHold() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        try (ReadPool pool =
                new ReadPool("test-read", 1, 1, new TrampolineExecutor(Runnable::run))) {
            assertThat(
                            pool.tryRun(
                                    () -> {
                                        started.countDown();
                                        awaitQuietly(release);
                                    }))
                    .isTrue();
            assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(pool.tryRun(second::countDown)).isTrue();
            assertThat(pool.waiting()).isEqualTo(1);
            assertThat(pool.tryRun(() -> {})).isFalse();

            release.countDown();
            assertThat(second.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

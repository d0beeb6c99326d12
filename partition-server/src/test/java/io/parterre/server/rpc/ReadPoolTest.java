package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class ReadPoolTest {
    private final Queue<List<String>> batches = new ConcurrentLinkedQueue<>();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    private ReadPool<String, String, String> pool(
            int threads, int queueMax, int batchMax, Consumer<List<String>> work) {
        return new ReadPool<>(
                "test-read",
                threads,
                queueMax,
                batchMax,
                work,
                new TrampolineExecutor(Runnable::run));
    }

    private void waitAndNote(List<String> batch, CountDownLatch left) {
        started.countDown();
        awaitQuietly(release);
        batches.add(batch);
        batch.forEach(each -> left.countDown());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void readPoolRejectsReads_whenQueueLimitIsReached() {
        CountDownLatch left = new CountDownLatch(3);
        try (ReadPool<String, String, String> pool =
                pool(1, 2, 1, batch -> waitAndNote(batch, left))) {
            assertThat(pool.offer("a", "1", "a1")).isTrue();
            pool.wake();
            awaitQuietly(started);
            assertThat(pool.offer("a", "1", "a2")).isTrue();
            assertThat(pool.offer("b", "1", "b1")).isTrue();
            assertThat(pool.offer("b", "1", "b2")).isFalse();
            pool.wake();
            assertThat(pool.waiting()).isEqualTo(2);

            release.countDown();
            awaitQuietly(left);
        }
        assertThat(batches).containsExactly(List.of("a1"), List.of("a2"), List.of("b1"));
    }

    @Test
    void readPoolTakesReadsRoundRobinByOwner() {
        CountDownLatch left = new CountDownLatch(7);
        try (ReadPool<String, String, String> pool =
                pool(1, 100, 4, batch -> waitAndNote(batch, left))) {
            pool.offer("a", "1", "a1");
            pool.wake();
            awaitQuietly(started);
            List.of("a2", "a3", "a4", "a5").forEach(each -> pool.offer("a", "1", each));
            List.of("b1", "b2").forEach(each -> pool.offer("b", "1", each));
            pool.wake();
            release.countDown();
            awaitQuietly(left);
        }
        assertThat(batches)
                .containsExactly(
                        List.of("a1"), List.of("a2", "b1", "a3", "b2"), List.of("a4", "a5"));
    }

    @Test
    void readPoolExecutesEveryRead_whenOffersAndThreadsRace() {
        int count = 20_000;
        CountDownLatch left = new CountDownLatch(count);
        try (ReadPool<String, String, String> pool =
                pool(2, count, 16, batch -> batch.forEach(each -> left.countDown()))) {
            for (int i = 0; i < count; i++) {
                assertThat(pool.offer("r" + i % 3, "1", "x")).isTrue();
                pool.wake();
            }
            awaitQuietly(left);
            assertThat(pool.waiting()).isZero();
        }
    }
}

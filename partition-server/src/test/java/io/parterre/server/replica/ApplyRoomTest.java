package io.parterre.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
public final class ApplyRoomTest {
    private final AtomicLong nanos = new AtomicLong();
    private final List<Duration> waits = new CopyOnWriteArrayList<>();

    /** For tests that have nothing to do with it. */
    public static ApplyRoom ample() {
        return new ApplyRoom(1_024, () -> true, System::nanoTime, waited -> {});
    }

    private ApplyRoom room(int slices) {
        return new ApplyRoom(slices, () -> true, nanos::get, waits::add);
    }

    private static Thread begun(Runnable run) {
        Thread thread = new Thread(run);
        thread.start();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .until(
                        () ->
                                thread.getState() == Thread.State.TIMED_WAITING
                                        || thread.getState() == Thread.State.TERMINATED);
        return thread;
    }

    private static final BooleanSupplier NEVER = () -> false;

    @Test
    void heapDecidesHowManySlicesAreMadeAtATime() {
        assertThat(ApplyRoom.slicesIn(64L << 20)).isEqualTo(1);
        assertThat(ApplyRoom.slicesIn(512L << 20)).isEqualTo(5);
        assertThat(ApplyRoom.slicesIn(Long.MAX_VALUE)).isEqualTo(1_024);
    }

    @Test
    void shareTakesOneSlice_untilItGivesBack() {
        ApplyRoom room = room(2);
        ApplyRoom.Share share = room.share(NEVER);

        assertThat(share.takeSlice()).isTrue();
        assertThat(share.takeSlice()).isFalse();
        share.takeOversize();
        assertThat(room.freeSlices()).isEqualTo(1);

        share.giveBack();
        share.giveBack();
        assertThat(room.freeSlices()).isEqualTo(2);
        assertThat(share.takeSlice()).isTrue();
        assertThat(waits).isEmpty();
    }

    @Test
    void oversizeIsRefused_whenShareHasNoSlice() {
        assertThatIllegalStateException().isThrownBy(room(1).share(NEVER)::takeOversize);
    }

    @Test
    void sharesAreServedInTheirOrder_whenRoomIsShort() throws Exception {
        ApplyRoom room = room(1);
        ApplyRoom.Share first = room.share(NEVER);
        first.takeSlice();
        ConcurrentLinkedQueue<Integer> served = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            threads.add(
                    begun(
                            () -> {
                                ApplyRoom.Share share = room.share(NEVER);
                                share.takeSlice();
                                served.add(number);
                                share.giveBack();
                            }));
        }
        nanos.set(7);
        first.giveBack();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(served).containsExactly(0, 1, 2, 3, 4);
        assertThat(waits).hasSize(5).containsOnly(Duration.ofNanos(7));
    }

    @Test
    void oversizeIsOneAtATime_whileOtherSlicesGoOn() throws Exception {
        ApplyRoom room = room(3);
        ApplyRoom.Share large = room.share(NEVER);
        large.takeSlice();
        large.takeOversize();
        CompletableFuture<Void> second = new CompletableFuture<>();
        Thread waiting =
                begun(
                        () -> {
                            ApplyRoom.Share share = room.share(NEVER);
                            share.takeSlice();
                            share.takeOversize();
                            share.giveBack();
                            second.complete(null);
                        });
        assertThat(second).isNotDone();
        ApplyRoom.Share small = room.share(NEVER);
        assertThat(small.takeSlice()).isTrue();

        large.giveBack();
        waiting.join();
        assertThat(second).isCompleted();
        small.giveBack();
        assertThat(room.freeSlices()).isEqualTo(3);
    }

    @Test
    void waitIsCancelled_whenReplicaEnds() throws Exception {
        ApplyRoom room = room(1);
        ApplyRoom.Share holder = room.share(NEVER);
        holder.takeSlice();
        AtomicBoolean ending = new AtomicBoolean();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread waiting =
                begun(
                        () -> {
                            try {
                                room.share(ending::get).takeSlice();
                            } catch (CancellationException cancelled) {
                                end.complete(cancelled);
                            }
                        });
        ending.set(true);
        waiting.join();
        assertThat(end.getNow(null)).isInstanceOf(CancellationException.class);
        // And it stands in nobody's way.
        holder.giveBack();
        assertThat(room.share(NEVER).takeSlice()).isTrue();
    }

    @Test
    void waitIsCancelled_whenThreadIsInterrupted() {
        ApplyRoom room = room(1);
        room.share(NEVER).takeSlice();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(room.share(NEVER)::takeSlice);
        assertThat(Thread.interrupted()).isTrue();
    }
}

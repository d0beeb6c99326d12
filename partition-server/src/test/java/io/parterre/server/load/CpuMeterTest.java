package io.parterre.server.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CpuMeterTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final AtomicLong threadNanos = new AtomicLong(5_000);
    private final AtomicLong asked = new AtomicLong();
    private final CpuMeter meter = new CpuMeter(new Random(7)::nextInt, this::ask);

    private long ask() {
        asked.incrementAndGet();
        return threadNanos.get();
    }

    private void work(int times, int nanosEach, int oneOf) {
        for (int i = 0; i < times; i++) {
            long begun = meter.begin(oneOf);
            threadNanos.addAndGet(nanosEach);
            meter.end(begun, oneOf);
        }
    }

    @Test
    void cpuTimeIsExact_whenEveryPieceOfWorkIsMeasured() {
        work(10, 300, 1);
        assertThat(meter.nanos()).isEqualTo(3_000);
    }

    @Test
    void cpuTimeIsExtrapolated_whenShortWorkIsSampled() {
        work(100_000, 300, CpuMeter.ONE_OF);
        assertThat(meter.nanos()).isCloseTo(30_000_000L, within(3_000_000L));
        assertThat(asked.get()).as("system calls").isBetween(5_000L, 7_500L);
    }

    /** 130 samples are what is left of a load of 600 a second once it fades by halves in 5 s. */
    @Test
    void cpuTimeIsWithinThirtyPercent_after130Samples() {
        for (int run = 0; run < 20; run++) {
            long before = meter.nanos();
            work(130 * CpuMeter.ONE_OF, 10_000, CpuMeter.ONE_OF);
            assertThat((meter.nanos() - before) / (130.0 * CpuMeter.ONE_OF * 10_000))
                    .isBetween(0.7, 1.3);
        }
    }

    @Test
    void cpuTimeIsZero_whenThreadCpuTimeIsUnavailable() {
        CpuMeter blind = new CpuMeter(bound -> 0, () -> -1);
        blind.end(blind.begin(1), 1);
        blind.end(blind.begin(CpuMeter.ONE_OF), CpuMeter.ONE_OF);
        new OwnThreadCpu().count(blind);
        OwnThreadCpu own = new OwnThreadCpu();
        own.count(blind);
        own.count(blind);
        assertThat(blind.nanos()).isZero();
    }

    @Test
    void dedicatedThreadCpuTimeCounts_fromFirstCountOn() {
        OwnThreadCpu own = new OwnThreadCpu();
        own.count(meter);
        assertThat(meter.nanos()).as("what it did before").isZero();
        threadNanos.addAndGet(700);
        own.count(meter);
        threadNanos.addAndGet(50);
        own.count(meter);
        assertThat(meter.nanos()).isEqualTo(750);
    }

    @Test
    void dedicatedThreadCpuTimeRestarts_whenThreadIsReplaced() throws InterruptedException {
        OwnThreadCpu own = new OwnThreadCpu();
        own.count(meter);
        Thread other =
                new Thread(
                        () -> {
                            threadNanos.addAndGet(1_000_000);
                            own.count(meter);
                            threadNanos.addAndGet(20);
                            own.count(meter);
                        });
        other.start();
        other.join();
        assertThat(meter.nanos()).isEqualTo(20);
    }

    @Test
    void cpuMeasuringAllocatesNoMemory() {
        CpuMeter real = new CpuMeter(bound -> 0, THREADS::getCurrentThreadCpuTime);
        OwnThreadCpu own = new OwnThreadCpu();
        own.count(real);
        real.end(real.begin(1), 1);
        long thread = Thread.currentThread().getId();
        THREADS.getThreadAllocatedBytes(thread);
        long before = THREADS.getThreadAllocatedBytes(thread);
        for (int i = 0; i < 20_000; i++) {
            real.end(real.begin(CpuMeter.ONE_OF), CpuMeter.ONE_OF);
            own.count(real);
        }
        long taken = THREADS.getThreadAllocatedBytes(thread) - before;
        assertThat(taken).as("bytes for 40,000 pieces of work").isLessThan(10_000);
        assertThat(real.nanos()).isPositive();
    }
}

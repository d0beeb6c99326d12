package io.parterre.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LoadMeterTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));

    private final Random random = new Random(7);
    private final LoadMeter meter = new LoadMeter(random::nextInt, () -> -1);

    private static Key entity(String partition) {
        return KeyCodec.entity(TABLE, partition, "r");
    }

    private void read(int count, String partition) {
        for (int i = 0; i < count; i++) {
            meter.sample(entity(partition), meter.read(1, 10));
        }
    }

    private long kept(String partition) {
        Key prefix = KeyCodec.partition(TABLE, partition);
        return meter.partitions().after(0).stream()
                .filter(sample -> sample.partition().equals(prefix))
                .count();
    }

    @Test
    void loadMeterCountsOperationsBytesAndRejections() {
        meter.read(1, 100);
        meter.read(11, 5_000_000_000L);
        meter.write(100, 7);
        meter.refuse();
        assertThat(meter.totals()).isEqualTo(new LoadTotals(12, 100, 5_000_000_107L, 1, 0));
    }

    @Test
    void sampleCountIsProportionalToOperations() {
        for (int i = 0; i < 32_000; i++) {
            meter.sample(entity("a"), meter.read(1, 0));
        }
        long ofSingles = meter.partitions().lastSequence();
        assertThat(ofSingles).isBetween(900L, 1_100L);
        for (int i = 0; i < 320; i++) {
            meter.sample(entity("b"), meter.write(100, 0));
        }
        assertThat(meter.partitions().lastSequence() - ofSingles).isBetween(980L, 1_020L);
    }

    @Test
    void oldSamplesAreReplaced_whenSampleSlotsAreFull() {
        read(200_000, "old");
        assertThat(kept("old")).isEqualTo(PartitionSampler.SLOTS);
        // Ten seconds of 2,500 operations.
        read(25_000, "new");
        assertThat(kept("old") + kept("new")).isEqualTo(PartitionSampler.SLOTS);
        assertThat(kept("old")).isLessThan(PartitionSampler.SLOTS / 10);
    }

    @Test
    void samplerReturnsOnlyNewerSamples_afterGivenSequence() {
        read(3_200, "a");
        long middle = meter.partitions().lastSequence();
        read(3_200, "b");
        assertThat(meter.partitions().after(middle))
                .hasSizeGreaterThan(32)
                .allMatch(
                        sample ->
                                sample.sequence() > middle
                                        && sample.partition()
                                                .equals(KeyCodec.partition(TABLE, "b")));
        assertThat(meter.partitions().after(meter.partitions().lastSequence())).isEmpty();
    }

    @Test
    void keyIsNotSampled_withoutPartition() {
        meter.sample(KeyCodec.scope(TABLE), 3);
        assertThat(meter.partitions().lastSequence()).isZero();
    }

    @Test
    void loadCountsAreExact_whenThreadsCountConcurrently() throws InterruptedException {
        LoadMeter shared = new LoadMeter(bound -> 0, () -> -1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread =
                    new Thread(
                            () -> {
                                for (int j = 0; j < 10_000; j++) {
                                    shared.sample(entity("a"), shared.write(32, 1));
                                }
                            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(shared.totals()).isEqualTo(new LoadTotals(0, 1_280_000, 40_000, 0, 0));
        assertThat(shared.partitions().lastSequence()).isEqualTo(40_000);
    }

    /** Of what is not sampled; counted, since times say little on a busy machine. */
    @Test
    void loadCountingAllocatesNoMemory_whenNothingIsSampled() {
        LoadMeter cheap = new LoadMeter(bound -> 0, () -> -1);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        cheap.read(1, 1);
        cheap.write(1, 1);
        threads.getThreadAllocatedBytes(thread);
        long before = threads.getThreadAllocatedBytes(thread);
        int drawn = 0;
        for (int i = 0; i < 100_000; i++) {
            drawn += cheap.read(1, 100) + cheap.write(1, 100);
            cheap.refuse();
        }
        long taken = threads.getThreadAllocatedBytes(thread) - before;
        assertThat(drawn).isZero();
        assertThat(taken).as("bytes for 300,000 counts").isLessThan(10_000);
    }
}

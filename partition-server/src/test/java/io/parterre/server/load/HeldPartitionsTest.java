package io.parterre.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.quota.Rate;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeldPartitionsTest {
    private static final long MILLI = 1_000_000L;
    private static final Key HOT = partition("hot");

    private final Random random = new Random(7);
    private final HeldPartitions partitions = new HeldPartitions(random::nextInt, 0);

    private static Key partition(String name) {
        return Key.wrap(name.getBytes(StandardCharsets.UTF_8));
    }

    /** Asks for so long, ten operations a millisecond, of which some are on one partition. */
    private void ask(int millis, int hotOfTen, int others) {
        for (int i = 0; i < millis * 10; i++) {
            boolean hot = i % 10 < hotOfTen;
            partitions.ask(hot ? HOT : partition("p" + random.nextInt(others)), 1, i / 10 * MILLI);
        }
    }

    private int permille(Key partition, long nowMillis) {
        Optional<HeldPartition> held = Optional.empty();
        while (held.isEmpty()) {
            held = partitions.ask(partition, 1, nowMillis * MILLI);
        }
        return partitions.permille(held.get());
    }

    @Test
    void hotPartitionShareIsKnown_whenAmongMillionPartitions() {
        ask(2_000, 5, 1_000_000);
        assertThat(permille(HOT, 2_000)).isBetween(450, 550);
        assertThat(permille(partition("p1"), 2_000)).isLessThan(20);
    }

    @Test
    void hotPartitionSharesAreKnown_whenSeveralAreHot() {
        for (int i = 0; i < 20_000; i++) {
            partitions.ask(partition("p" + i % 4), 1, i / 10 * MILLI);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(permille(partition("p" + i), 2_000)).isBetween(200, 300);
        }
    }

    @Test
    void hotPartitionIsTracked_beforeTwoHundredRequests() {
        for (int i = 0; i < 500; i++) {
            partitions.ask(partition("p" + i), 1, 0);
        }
        int asked = 0;
        Optional<HeldPartition> held = Optional.empty();
        while (held.isEmpty()) {
            held = partitions.ask(HOT, 1, 0);
            asked++;
        }
        assertThat(asked).isLessThan(200);
    }

    @Test
    void hotPartitionShareDecays_afterItsLoadEnds() {
        ask(1_000, 9, 100);
        for (int i = 0; i < 20_000; i++) {
            partitions.ask(partition("p" + i % 100), 1, (1_000 + i / 10) * MILLI);
        }
        assertThat(permille(HOT, 3_000)).isLessThan(20);
        partitions.ask(HOT, 1, 100_000 * MILLI);
        assertThat(permille(HOT, 100_000)).as("too few to tell").isZero();
    }

    @Test
    void partitionShareCountsBatchOperationsAndUnkeyedRequests() {
        for (int i = 0; i < 100; i++) {
            partitions.ask(HOT, 10, 0);
            partitions.askNone(10, 0);
        }
        assertThat(permille(HOT, 0)).isBetween(450, 550);
    }

    @Test
    void operationsAreCountedOnce_whenEverySampleIsDrawn() {
        HeldPartitions always = new HeldPartitions(bound -> 0, 0);
        HeldPartition held = always.ask(HOT, 1, 0).orElseThrow();
        for (int i = 0; i < 99; i++) {
            always.ask(HOT, 1, 0);
        }
        assertThat(held.asked()).isEqualTo(100);
        assertThat(always.permille(held)).isEqualTo(1_000);
    }

    @Test
    void partitionIsThrottled_whenOverItsRate() {
        HeldPartition held = new HeldPartitions(bound -> 0, 0).ask(HOT, 1, 0).orElseThrow();
        Rate rate = Rate.of(100, 1);
        int taken = 0;
        for (int i = 0; i < 5_000; i++) {
            taken += held.take(1, rate, i * MILLI) ? 1 : 0;
        }
        assertThat(taken).isBetween(598, 600);
    }
}

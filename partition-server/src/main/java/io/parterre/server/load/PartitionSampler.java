package io.parterre.server.load;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntUnaryOperator;

/**
 * Keeps a sample of the partitions that operations are on. Each new sample replaces a random one,
 * so old samples disappear: at 2,500 operations a second 95 in 100 are replaced within ten seconds.
 * Safe for any thread, without locks.
 */
public final class PartitionSampler {
    /**
     * Number of samples. The standard error of a share is 3 percentage points; the samples take
     * some 30 KiB at most, depending on key sizes.
     */
    static final int SLOTS = 256;

    /** One of so many operations is drawn. */
    static final int OPERATIONS_PER_SAMPLE = 32;

    private final IntUnaryOperator random;
    private final AtomicReferenceArray<PartitionSample> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLong sequences = new AtomicLong();

    /**
     * Makes a sampler.
     *
     * @param random returns any number from 0 on below the given one, cheap and for any thread
     */
    PartitionSampler(IntUnaryOperator random) {
        this.random = random;
    }

    /**
     * Returns the number of samples that these operations are worth; random, and right on average.
     */
    int draw(int operations) {
        int worth = operations + random.applyAsInt(OPERATIONS_PER_SAMPLE);
        return Math.min(worth / OPERATIONS_PER_SAMPLE, SLOTS);
    }

    /**
     * Takes samples of a key's partition; none if the key has no partition, such as the prefix of a
     * table.
     */
    void take(Key key, int samples) {
        Key partition;
        try {
            partition = KeyCodec.partitionPrefix(key);
        } catch (IllegalArgumentException noWholePartition) {
            return;
        }
        for (int i = 0; i < samples; i++) {
            slots.set(
                    random.applyAsInt(SLOTS),
                    new PartitionSample(partition, sequences.incrementAndGet()));
        }
    }

    /** Returns the sequence of the last sample; 0: there is none. */
    public long lastSequence() {
        return sequences.get();
    }

    /** Returns the kept samples with a later sequence than this. */
    public List<PartitionSample> after(long sequence) {
        List<PartitionSample> found = new ArrayList<>(SLOTS);
        for (int i = 0; i < SLOTS; i++) {
            PartitionSample sample = slots.get(i);
            if (sample != null && sample.sequence() > sequence) {
                found.add(sample);
            }
        }
        return found;
    }
}

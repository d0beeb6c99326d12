package io.parterre.server.load;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntUnaryOperator;

/**
 * Keeps a sample of the partitions that operations fall on. Each new one takes the place of any
 * other, so old ones fade: at 2,500 operations a second 95 in 100 are replaced within ten seconds.
 * Safe for any thread, without locks.
 */
public final class PartitionSampler {
    /** Shares are known to 3 points then (standard error), for some 30 KiB at most by key size. */
    static final int SLOTS = 256;

    /** One of so many is drawn. */
    static final int OPERATIONS_PER_SAMPLE = 32;

    private final IntUnaryOperator random;
    private final AtomicReferenceArray<PartitionSample> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLong sequences = new AtomicLong();

    /**
     * A sampler.
     *
     * @param random any number from 0 on below the one given, cheap and for any thread
     */
    PartitionSampler(IntUnaryOperator random) {
        this.random = random;
    }

    /** How many samples these operations are worth: by chance, and right on average. */
    int draw(int operations) {
        int worth = operations + random.applyAsInt(OPERATIONS_PER_SAMPLE);
        return Math.min(worth / OPERATIONS_PER_SAMPLE, SLOTS);
    }

    /** Takes samples of a key's partition; none if it has none, as the prefix of a table. */
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

    /** Sequence of the last sample; 0: none was taken. */
    public long lastSequence() {
        return sequences.get();
    }

    /** Samples that are kept, and were taken after the one of this sequence. */
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

package io.parterre.server.load;

import io.parterre.key.Key;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Counts the load of a range at one replica. Safe for any thread; counting takes no lock and
 * allocates nothing, except for the few operations that are sampled.
 */
public final class LoadMeter {
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final PartitionSampler partitions;
    private final CpuMeter cpu;

    /**
     * Makes a meter.
     *
     * @param random returns any number from 0 on below the given one, cheap and for any thread
     * @param threadNanos returns the processor time of the calling thread; negative: not known
     */
    public LoadMeter(IntUnaryOperator random, LongSupplier threadNanos) {
        this.partitions = new PartitionSampler(random);
        this.cpu = new CpuMeter(random, threadNanos);
    }

    /**
     * Counts reads.
     *
     * @return number of samples for which {@link #sample} is to be called; mostly none
     */
    public int read(int operations, long sizeBytes) {
        reads.add(operations);
        bytes.add(sizeBytes);
        return partitions.draw(operations);
    }

    /**
     * Counts writes.
     *
     * @return number of samples for which {@link #sample} is to be called; mostly none
     */
    public int write(int operations, long sizeBytes) {
        writes.add(operations);
        bytes.add(sizeBytes);
        return partitions.draw(operations);
    }

    /** Takes samples of counted operations, which were on this key's partition. */
    public void sample(Key key, int samples) {
        partitions.take(key, samples);
    }

    /** Counts a call that was refused because the range cannot keep up. */
    public void refuse() {
        refused.increment();
    }

    /** Returns the counts so far. */
    public LoadTotals totals() {
        return new LoadTotals(reads.sum(), writes.sum(), bytes.sum(), refused.sum(), cpu.nanos());
    }

    /** Returns the meter of the processor time spent on the range. */
    public CpuMeter cpu() {
        return cpu;
    }

    public PartitionSampler partitions() {
        return partitions;
    }
}

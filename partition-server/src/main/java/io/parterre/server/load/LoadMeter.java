package io.parterre.server.load;

import io.parterre.key.Key;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Counts what is asked of a range at one replica. Safe for any thread; counting takes no lock and
 * no memory, except for one operation of some that is sampled.
 */
public final class LoadMeter {
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final PartitionSampler partitions;
    private final CpuMeter cpu;

    /**
     * A meter.
     *
     * @param random any number from 0 on below the one given, cheap and for any thread
     * @param threadNanos processor time of the thread that asks; negative: not known
     */
    public LoadMeter(IntUnaryOperator random, LongSupplier threadNanos) {
        this.partitions = new PartitionSampler(random);
        this.cpu = new CpuMeter(random, threadNanos);
    }

    /**
     * Counts reads.
     *
     * @return for how many samples {@link #sample} is to be told where they fell; mostly none
     */
    public int read(int operations, long sizeBytes) {
        reads.add(operations);
        bytes.add(sizeBytes);
        return partitions.draw(operations);
    }

    /**
     * Counts writes.
     *
     * @return for how many samples {@link #sample} is to be told where they fell; mostly none
     */
    public int write(int operations, long sizeBytes) {
        writes.add(operations);
        bytes.add(sizeBytes);
        return partitions.draw(operations);
    }

    /** Takes samples of what was counted: it fell on this key's partition. */
    public void sample(Key key, int samples) {
        partitions.take(key, samples);
    }

    /** Counts a call that was refused since the range cannot keep up. */
    public void refuse() {
        refused.increment();
    }

    /** What was counted until now. */
    public LoadTotals totals() {
        return new LoadTotals(reads.sum(), writes.sum(), bytes.sum(), refused.sum(), cpu.nanos());
    }

    /** Of the time that processors spend on it. */
    public CpuMeter cpu() {
        return cpu;
    }

    public PartitionSampler partitions() {
        return partitions;
    }
}

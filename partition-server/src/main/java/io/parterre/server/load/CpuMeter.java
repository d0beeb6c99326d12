package io.parterre.server.load;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Adds up the time that processors spend on a range at one replica. To ask for a thread's time
 * costs a system call, so of short pieces of work only some are measured, by chance, and count for
 * the others. Safe for any thread; takes no lock and no memory.
 */
public final class CpuMeter {
    /** Of short pieces of work one of so many is measured. */
    public static final int ONE_OF = 32;

    /** Not measured: not drawn, or the machine does not tell. */
    static final long UNKNOWN = -1;

    private final IntUnaryOperator random;
    private final LongSupplier threadNanos;
    private final LongAdder nanos = new LongAdder();

    /**
     * A meter.
     *
     * @param random any number from 0 on below the one given, cheap and for any thread
     * @param threadNanos processor time of the thread that asks; negative: not known
     */
    CpuMeter(IntUnaryOperator random, LongSupplier threadNanos) {
        this.random = random;
        this.threadNanos = threadNanos;
    }

    /**
     * Before a piece of work.
     *
     * @param oneOf so many of its kind one is measured; 1: each
     * @return what {@link #end} is to be given, on the same thread
     */
    public long begin(int oneOf) {
        return oneOf > 1 && random.applyAsInt(oneOf) != 0 ? UNKNOWN : threadNanos.getAsLong();
    }

    /**
     * After it.
     *
     * @param begun as {@link #begin} said
     * @param oneOf as it was told
     */
    public void end(long begun, int oneOf) {
        if (begun >= 0) {
            add((threadNanos.getAsLong() - begun) * oneOf);
        }
    }

    /** Processor time of the thread that asks; negative: not known. */
    long threadNanos() {
        return threadNanos.getAsLong();
    }

    void add(long spentNanos) {
        nanos.add(spentNanos);
    }

    /** What was counted until now. */
    long nanos() {
        return nanos.sum();
    }
}

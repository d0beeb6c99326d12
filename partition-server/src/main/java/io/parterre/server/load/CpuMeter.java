package io.parterre.server.load;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Adds up the processor time spent on a range at one replica. Reading a thread's time costs a
 * system call. Of short pieces of work only a random part is therefore measured, and counts for the
 * rest. Safe for any thread; takes no lock and allocates nothing.
 */
public final class CpuMeter {
    /** One of so many short pieces of work is measured. */
    public static final int ONE_OF = 32;

    /** The work is not measured: it was not drawn, or the machine does not report the time. */
    static final long UNKNOWN = -1;

    private final IntUnaryOperator random;
    private final LongSupplier threadNanos;
    private final LongAdder nanos = new LongAdder();

    /**
     * Makes a meter.
     *
     * @param random returns any number from 0 on below the given one, cheap and for any thread
     * @param threadNanos returns the processor time of the calling thread; negative: not known
     */
    CpuMeter(IntUnaryOperator random, LongSupplier threadNanos) {
        this.random = random;
        this.threadNanos = threadNanos;
    }

    /**
     * Must be called before a piece of work.
     *
     * @param oneOf one of so many pieces of this kind is measured; 1: each
     * @return argument for {@link #end}, on the same thread
     */
    public long begin(int oneOf) {
        return oneOf > 1 && random.applyAsInt(oneOf) != 0 ? UNKNOWN : threadNanos.getAsLong();
    }

    /**
     * Must be called after the piece of work.
     *
     * @param begun result of {@link #begin}
     * @param oneOf argument of {@link #begin}
     */
    public void end(long begun, int oneOf) {
        if (begun >= 0) {
            add((threadNanos.getAsLong() - begun) * oneOf);
        }
    }

    /** Returns the processor time of the calling thread; negative: not known. */
    long threadNanos() {
        return threadNanos.getAsLong();
    }

    void add(long spentNanos) {
        nanos.add(spentNanos);
    }

    /** Returns the time counted so far. */
    long nanos() {
        return nanos.sum();
    }
}

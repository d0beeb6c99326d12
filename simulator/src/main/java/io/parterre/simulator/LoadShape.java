package io.parterre.simulator;

import io.parterre.key.Key;
import java.nio.ByteBuffer;

/**
 * What clients ask of some tables, as it changes with time.
 *
 * @param shape how it is spread
 * @param operationsPerSecond in all, at its most
 * @param firstTable the n-th table lies in the n-th of the ranges that a scenario begins with
 * @param tables how many, from there on
 * @param partitions of each table
 * @param exponent of {@code ZIPF}: the n-th partition is asked 1/n^exponent of what the first is
 * @param movesEverySeconds so often other partitions are the hot ones; 0: never
 * @param periodSeconds from one peak to the next, as by day and night; 0: it is always the same
 * @param lowPercent of what is asked at the peak is asked at the lowest
 */
public record LoadShape(
        Shape shape,
        double operationsPerSecond,
        int firstTable,
        int tables,
        int partitions,
        double exponent,
        int movesEverySeconds,
        int periodSeconds,
        int lowPercent) {
    /** How it is spread over partitions. */
    public enum Shape {
        /** Alike on all of them. */
        EVEN,
        /** By Zipf's law; hot ones do not lie side by side. */
        ZIPF,
        /** On ever later keys of one table, the next partition each second. */
        TAIL
    }

    /** A load that goes up and down is another one so often. */
    private static final int STEP_SECONDS = 30;

    /** Shares no factor with the numbers of partitions that anyone would choose. */
    private static final long STRIDE = 2_147_483_647L;

    /** Distance of hot spots from one time to the next, in partitions. */
    private static final long HOP = 104_729;

    public LoadShape {
        shape = shape == null ? Shape.EVEN : shape;
        tables = Math.max(1, tables);
        partitions = Math.max(1, partitions);
        if (operationsPerSecond < 0) {
            throw new IllegalArgumentException(
                    "operationsPerSecond: " + operationsPerSecond + " (expected: not negative)");
        }
        if (shape == Shape.TAIL && tables != 1) {
            throw new IllegalArgumentException("tables: " + tables + " (expected: 1 of a TAIL)");
        }
    }

    /** Key of the n-th partition of a table. */
    static Key partition(int table, int n) {
        return Key.wrap(ByteBuffer.allocate(9).put((byte) 2).putInt(table).putInt(n).array());
    }

    /** Whether it is another one in this second than in the one before. */
    boolean changesAt(long second) {
        return shape == Shape.TAIL
                || movesEverySeconds > 0 && second % movesEverySeconds == 0
                || periodSeconds > 0 && second % STEP_SECONDS == 0;
    }

    /** Adds what is asked in this second. */
    void addTo(SimLoad load, long second) {
        double total = operationsPerSecond * level(second);
        if (shape == Shape.TAIL) {
            load.asksTail(partition(firstTable, (int) second), total);
            return;
        }
        int count = tables * partitions;
        double sum = 0;
        for (int n = 1; n <= count; n++) {
            sum += weight(n);
        }
        long hops = movesEverySeconds == 0 ? 0 : second / movesEverySeconds;
        for (int n = 1; n <= count; n++) {
            int at = (int) ((n * STRIDE + hops * HOP) % count);
            load.asks(
                    partition(firstTable + at / partitions, at % partitions),
                    total * weight(n) / sum);
        }
    }

    private double weight(int n) {
        return shape == Shape.EVEN ? 1 : Math.pow(n, -exponent);
    }

    private double level(long second) {
        if (periodSeconds == 0) {
            return 1;
        }
        double wave = (1 - Math.cos(2 * Math.PI * second / periodSeconds)) / 2;
        double low = lowPercent / 100.0;
        return low + (1 - low) * wave;
    }
}

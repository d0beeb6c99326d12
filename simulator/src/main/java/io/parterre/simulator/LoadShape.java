package io.parterre.simulator;

import io.parterre.key.Key;
import java.nio.ByteBuffer;

/**
 * The load of clients on some tables, and how it changes over time. Immutable.
 *
 * @param shape how the load is spread
 * @param operationsPerSecond total at its maximum
 * @param firstTable the n-th table lies in the n-th of the scenario's first ranges
 * @param tables number of tables from there on
 * @param partitions of each table
 * @param exponent of {@code ZIPF}: the n-th partition has 1/n^exponent of the first one's load
 * @param movesEverySeconds period after which other partitions become hot; 0: never
 * @param periodSeconds from one peak to the next, as by day and night; 0: constant load
 * @param lowPercent lowest load, in percent of the peak
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
    /** How the load is spread over partitions. */
    public enum Shape {
        /** Equal on all partitions. */
        EVEN,
        /** By Zipf's law. Hot partitions are not neighbours. */
        ZIPF,
        /** On ever later keys of one table, the next partition each second. */
        TAIL
    }

    /** Period after which a load with peaks changes. */
    private static final int STEP_SECONDS = 30;

    /** Has no common factor with any likely number of partitions. */
    private static final long STRIDE = 2_147_483_647L;

    /** Distance of hot spots between two periods, in partitions. */
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

    /** Returns the key of the n-th partition of a table. */
    static Key partition(int table, int n) {
        return Key.wrap(ByteBuffer.allocate(9).put((byte) 2).putInt(table).putInt(n).array());
    }

    /** Returns whether the load in this second differs from that in the previous one. */
    boolean changesAt(long second) {
        return shape == Shape.TAIL
                || movesEverySeconds > 0 && second % movesEverySeconds == 0
                || periodSeconds > 0 && second % STEP_SECONDS == 0;
    }

    /** Adds the load of this second. */
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

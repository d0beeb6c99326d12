package io.parterre.bench.work;

/**
 * A table filled with {@link SampleEntity}: rows 0 to {@code entities - 1}, a hundred per
 * partition, so that one batch fills one partition.
 *
 * @param entities a multiple of 100
 */
public record Dataset(String table, long entities) {
    public static final int PARTITION_ROWS = 100;

    public Dataset {
        if (entities <= 0 || entities % PARTITION_ROWS != 0) {
            throw new IllegalArgumentException(
                    "entities: " + entities + " (expected: a positive multiple of 100)");
        }
    }

    static long partitionOf(long row) {
        return row / PARTITION_ROWS;
    }
}

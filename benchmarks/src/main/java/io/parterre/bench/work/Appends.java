package io.parterre.bench.work;

import io.parterre.bench.load.Work;
import java.util.stream.LongStream;

/**
 * New entities in the order of time, in one table with one of two designs of its partition keys.
 * Both begin a new partition after about every hundred entities that it gets. Stateless.
 */
public enum Appends {
    /** The time alone: at any moment all entities go to the last partition of the table. */
    TIME_ORDERED {
        @Override
        long partitionOf(long row) {
            return BEHIND_BUCKETS + Dataset.partitionOf(row);
        }

        @Override
        public LongStream writtenAt(long row) {
            return LongStream.of(partitionOf(row));
        }
    },
    /** A bucket, followed by the time: entities go to the last partition of each bucket. */
    BUCKETED {
        @Override
        long partitionOf(long row) {
            long mixed = row * 0x9E3779B97F4A7C15L;
            return partition((int) ((mixed >>> 40) % BUCKETS), row);
        }

        private long partition(long bucket, long row) {
            return bucket * BUCKET_PARTITIONS + Dataset.partitionOf(row / BUCKETS);
        }

        @Override
        public LongStream writtenAt(long row) {
            return LongStream.range(0, BUCKETS).map(bucket -> partition(bucket, row));
        }
    };

    public static final int BUCKETS = 16;

    private static final long BUCKET_PARTITIONS = 1_000_000;
    private static final long BEHIND_BUCKETS = 90_000_000;

    abstract long partitionOf(long row);

    /** Returns the partitions that are written at the same time as a row. */
    public abstract LongStream writtenAt(long row);

    /** Inserts new entities, one per request. */
    public Work inserts(String table, RowNumbers fresh) {
        return new Inserts(table, this::partitionOf, fresh);
    }
}

package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;
import java.util.SplittableRandom;

/** Work on only one partition of a table. Not thread-safe. */
public final class OnePartition {
    private static final long PARTITION = 0;
    private static final byte[] READ_HEADERS =
            RequestWriter.headers("Accept", "application/json;odata=minimalmetadata");

    private OnePartition() {}

    /** Inserts new entities, one per request. */
    public static Work inserts(String table, RowNumbers fresh) {
        return new Inserts(table, Inserts.Spread.ONE, fresh);
    }

    /** Inserts new entities, a hundred per request. */
    public static Work batches(String table, RowNumbers fresh) {
        return new BatchInserts(table, fresh, row -> PARTITION, row -> row);
    }

    /**
     * Reads entities that {@link #inserts} or {@link #batches} have inserted.
     *
     * @param rows number of existing rows, from 0 on
     */
    public static Work reads(String table, long rows, long seed) {
        return new Reads(table, rows, new SplittableRandom(seed));
    }

    private record Reads(String table, long rows, SplittableRandom random) implements Work {
        @Override
        public boolean next(int connection, RequestWriter requests, ByteText out) {
            ByteText path = requests.path().put(table);
            SampleEntity.putKeys(PARTITION, random.nextLong(rows), path);
            requests.write("GET", READ_HEADERS, out);
            return true;
        }

        @Override
        public long check(int connection, Answer answer) throws UnexpectedAnswer {
            if (answer.status() != 200) {
                throw UnexpectedAnswer.ofStatus(answer);
            }
            return 1;
        }
    }
}

package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;
import java.util.function.LongUnaryOperator;

/** Inserts new entities one by one, spread over partitions. */
final class Inserts implements Work {
    static final byte[] HEADERS =
            RequestWriter.headers(
                    "Accept", "application/json;odata=minimalmetadata",
                    "Content-Type", "application/json",
                    "Prefer", "return-no-content");

    private final String table;
    private final LongUnaryOperator partitionOf;
    private final RowNumbers rows;

    /** Distribution of rows over partitions. */
    enum Spread {
        /** Successive rows go to one partition, as in a load in key order. */
        IN_ORDER,
        /** Successive rows go to 10,000 partitions in turn. */
        SCATTERED,
        /** All rows go to one partition. */
        ONE;

        long partitionOf(long row) {
            return switch (this) {
                case IN_ORDER -> Dataset.partitionOf(row);
                case ONE -> 0;
                case SCATTERED -> ((row * 0x9E3779B97F4A7C15L) >>> 33) % 10_000;
            };
        }
    }

    Inserts(String table, Spread spread, RowNumbers rows) {
        this(table, spread::partitionOf, rows);
    }

    /**
     * Creates the inserts.
     *
     * @param partitionOf returns the partition of a row
     */
    Inserts(String table, LongUnaryOperator partitionOf, RowNumbers rows) {
        this.table = table;
        this.partitionOf = partitionOf;
        this.rows = rows;
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        if (rows.left() < 1) {
            return false;
        }
        long row = rows.take(1);
        requests.path().put(table);
        SampleEntity.putJson(partitionOf.applyAsLong(row), row, 0, requests.body());
        requests.write("POST", HEADERS, out);
        return true;
    }

    @Override
    public long check(int connection, Answer answer) throws UnexpectedAnswer {
        if (answer.status() != 204) {
            throw UnexpectedAnswer.ofStatus(answer);
        }
        return 1;
    }
}

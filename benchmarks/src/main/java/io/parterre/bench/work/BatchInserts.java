package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;
import java.util.function.LongUnaryOperator;

/** Inserts new entities in batches of a hundred, by default each into its own partition. */
final class BatchInserts implements Work {
    private final String table;
    private final RowNumbers rows;
    private final LongUnaryOperator partitionOf;
    private final LongUnaryOperator keyOf;

    /** Text before the JSON of each operation; made once because it is the same for all. */
    private final ByteText head = new ByteText(512);

    BatchInserts(String table, RowNumbers rows) {
        this(table, rows, Dataset::partitionOf, row -> row);
    }

    /**
     * Creates the batches.
     *
     * @param partitionOf returns the partition by the first row of a batch
     * @param keyOf returns the number in the key of a row
     */
    BatchInserts(
            String table, RowNumbers rows, LongUnaryOperator partitionOf, LongUnaryOperator keyOf) {
        this.table = table;
        this.rows = rows;
        this.partitionOf = partitionOf;
        this.keyOf = keyOf;
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        if (rows.left() < Dataset.PARTITION_ROWS) {
            return false;
        }
        long first = rows.take(Dataset.PARTITION_ROWS);
        requests.path().put("$batch");
        ByteText body = requests.body();
        if (head.length() == 0) {
            putHead(requests.endpoint().url());
        }
        BatchText.putStart(body);
        for (int i = 0; i < Dataset.PARTITION_ROWS; i++) {
            // All rows go to the partition of the first one, wherever in its hundred that row is.
            body.put(head);
            SampleEntity.putJson(
                    partitionOf.applyAsLong(first), keyOf.applyAsLong(first + i), 0, body);
            body.put("\r\n");
        }
        BatchText.putEnd(body);
        requests.write("POST", BatchText.HEADERS, out);
        return true;
    }

    private void putHead(String url) {
        BatchText.putOperationStart(head);
        head.put("POST ").put(url).put('/').put(table).put(" HTTP/1.1\r\n");
        head.put("Accept: application/json;odata=minimalmetadata\r\n");
        head.put("Content-Type: application/json\r\nPrefer: return-no-content\r\n");
        head.put("DataServiceVersion: 3.0\r\n\r\n");
    }

    @Override
    public long check(int connection, Answer answer) throws UnexpectedAnswer {
        return BatchText.check(answer);
    }
}

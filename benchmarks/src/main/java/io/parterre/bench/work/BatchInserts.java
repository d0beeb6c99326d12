package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;
import java.util.function.LongUnaryOperator;

/** Inserts new entities in batches of a hundred, as a rule each into a partition of its own. */
final class BatchInserts implements Work {
    private static final String BATCH = "batch_3f0b7a52-6d0c-4f5e-9a3b-0c1d2e3f4a5b";
    private static final String CHANGES = "changeset_8c1e5d70-2b9f-4a6d-8e7c-5b4a39281706";
    private static final byte[] HEADERS =
            RequestWriter.headers("Content-Type", "multipart/mixed; boundary=" + BATCH);

    private final String table;
    private final RowNumbers rows;
    private final LongUnaryOperator partitionOf;

    /** What stands before the JSON of each operation; the same for all, so it is made once. */
    private final ByteText head = new ByteText(512);

    BatchInserts(String table, RowNumbers rows) {
        this(table, rows, Dataset::partitionOf);
    }

    /**
     * Batches.
     *
     * @param partitionOf by the first row of a batch
     */
    BatchInserts(String table, RowNumbers rows, LongUnaryOperator partitionOf) {
        this.table = table;
        this.rows = rows;
        this.partitionOf = partitionOf;
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
        body.put("--").put(BATCH).put("\r\nContent-Type: multipart/mixed; boundary=");
        body.put(CHANGES).put("\r\n\r\n");
        for (int i = 0; i < Dataset.PARTITION_ROWS; i++) {
            // All rows go to the partition of the first, wherever in its hundred that stands.
            body.put(head);
            SampleEntity.putJson(partitionOf.applyAsLong(first), first + i, 0, body);
            body.put("\r\n");
        }
        body.put("--").put(CHANGES).put("--\r\n--").put(BATCH).put("--\r\n");
        requests.write("POST", HEADERS, out);
        return true;
    }

    private void putHead(String url) {
        head.put("--").put(CHANGES).put("\r\nContent-Type: application/http\r\n");
        head.put("Content-Transfer-Encoding: binary\r\n\r\nPOST ");
        head.put(url).put('/').put(table).put(" HTTP/1.1\r\n");
        head.put("Accept: application/json;odata=minimalmetadata\r\n");
        head.put("Content-Type: application/json\r\nPrefer: return-no-content\r\n");
        head.put("DataServiceVersion: 3.0\r\n\r\n");
    }

    @Override
    public long check(int connection, Answer answer) throws UnexpectedAnswer {
        if (answer.status() != 202) {
            throw UnexpectedAnswer.ofStatus(answer);
        }
        if (answer.count("HTTP/1.1 204") != Dataset.PARTITION_ROWS) {
            throw new UnexpectedAnswer("batch refused", answer);
        }
        return Dataset.PARTITION_ROWS;
    }
}

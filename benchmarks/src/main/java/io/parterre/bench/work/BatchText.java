package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;

/**
 * The text around the operations of a batch of a hundred, and the check of its answer. Stateless.
 */
final class BatchText {
    static final byte[] HEADERS;

    private static final String BATCH = "batch_3f0b7a52-6d0c-4f5e-9a3b-0c1d2e3f4a5b";
    private static final String CHANGES = "changeset_8c1e5d70-2b9f-4a6d-8e7c-5b4a39281706";

    static {
        HEADERS = RequestWriter.headers("Content-Type", "multipart/mixed; boundary=" + BATCH);
    }

    private BatchText() {}

    static void putStart(ByteText body) {
        body.put("--").put(BATCH).put("\r\nContent-Type: multipart/mixed; boundary=");
        body.put(CHANGES).put("\r\n\r\n");
    }

    /** Appends the text before the request line of each operation. */
    static void putOperationStart(ByteText body) {
        body.put("--").put(CHANGES).put("\r\nContent-Type: application/http\r\n");
        body.put("Content-Transfer-Encoding: binary\r\n\r\n");
    }

    static void putEnd(ByteText body) {
        body.put("--").put(CHANGES).put("--\r\n--").put(BATCH).put("--\r\n");
    }

    /** Returns the number of entities, a hundred. */
    static long check(Answer answer) throws UnexpectedAnswer {
        if (answer.status() != 202) {
            throw UnexpectedAnswer.ofStatus(answer);
        }
        if (answer.count("HTTP/1.1 204") != Dataset.PARTITION_ROWS) {
            throw new UnexpectedAnswer("batch refused", answer);
        }
        return Dataset.PARTITION_ROWS;
    }
}

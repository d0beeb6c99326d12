package io.parterre.bench.hotspot;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.work.SampleEntity;

/**
 * Writes and reads of single entities as requests, and the check of their answers. Every connection
 * has its own entity in each partition, so it knows which revision a read must find. Immutable.
 *
 * @param table table of the entities
 * @param firstRow row of the first connection; connections of different front ends use different
 *     rows
 */
record EntityCalls(String table, long firstRow) {
    private static final byte[] READ =
            RequestWriter.headers("Accept", "application/json;odata=minimalmetadata");
    private static final byte[] WRITE =
            RequestWriter.headers(
                    "Accept", "application/json;odata=minimalmetadata",
                    "Content-Type", "application/json",
                    "Prefer", "return-no-content");

    /** Writes a request to insert or merge, without condition. */
    void write(int connection, int partition, long revision, RequestWriter requests, ByteText out) {
        long row = firstRow + connection;
        SampleEntity.putKeys(partition, row, requests.path().put(table));
        SampleEntity.putJson(partition, row, revision, requests.body());
        requests.write("MERGE", WRITE, out);
    }

    void read(int connection, int partition, RequestWriter requests, ByteText out) {
        SampleEntity.putKeys(partition, firstRow + connection, requests.path().put(table));
        requests.write("GET", READ, out);
    }

    static void checkWritten(Answer answer) throws UnexpectedAnswer {
        if (answer.status() != 204) {
            throw UnexpectedAnswer.ofStatus(answer);
        }
    }

    static void checkRead(Answer answer, long revision) throws UnexpectedAnswer {
        if (answer.status() != 200) {
            throw UnexpectedAnswer.ofStatus(answer);
        }
        if (answer.count("\"Revision\":\"" + revision + "\"") != 1) {
            throw new UnexpectedAnswer("another revision than was acknowledged last", answer);
        }
    }
}

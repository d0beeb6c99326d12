package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;

/** Creates one table, once; that it exists already is as good. */
public final class CreateTable implements Work {
    private static final byte[] HEADERS =
            RequestWriter.headers(
                    "Accept", "application/json;odata=minimalmetadata",
                    "Content-Type", "application/json",
                    "Prefer", "return-no-content");

    private final String table;
    private boolean asked;

    public CreateTable(String table) {
        this.table = table;
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        if (asked) {
            return false;
        }
        asked = true;
        requests.path().put("Tables");
        requests.body().put("{\"TableName\":\"").put(table).put("\"}");
        requests.write("POST", HEADERS, out);
        return true;
    }

    @Override
    public long check(int connection, Answer answer) throws UnexpectedAnswer {
        if (answer.status() != 204 && answer.status() != 409) {
            throw UnexpectedAnswer.ofStatus(answer);
        }
        return 0;
    }
}

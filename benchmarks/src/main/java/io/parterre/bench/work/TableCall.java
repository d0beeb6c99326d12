package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;
import java.util.OptionalInt;

/** One request for a table, sent once and answered with 204. Not thread-safe. */
final class TableCall implements Work {
    private static final byte[] HEADERS =
            RequestWriter.headers(
                    "Accept", "application/json;odata=minimalmetadata",
                    "Content-Type", "application/json",
                    "Prefer", "return-no-content");

    private final String method;
    private final String path;
    private final String body;
    private final OptionalInt alsoGood;
    private boolean asked;

    TableCall(String method, String path, String body) {
        this(method, path, body, OptionalInt.empty());
    }

    /**
     * Creates the call.
     *
     * @param alsoGood another status that counts as success
     */
    TableCall(String method, String path, String body, OptionalInt alsoGood) {
        this.method = method;
        this.path = path;
        this.body = body;
        this.alsoGood = alsoGood;
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        if (asked) {
            return false;
        }
        asked = true;
        requests.path().put(path);
        requests.body().put(body);
        requests.write(method, HEADERS, out);
        return true;
    }

    @Override
    public long check(int connection, Answer answer) throws UnexpectedAnswer {
        int status = answer.status();
        if (status != 204 && !alsoGood.equals(OptionalInt.of(status))) {
            throw UnexpectedAnswer.ofStatus(answer);
        }
        return 0;
    }
}

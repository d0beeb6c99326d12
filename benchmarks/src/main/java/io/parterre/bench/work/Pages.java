package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;

/** Reads a whole table in pages of a thousand, repeatedly, each connection on its own. */
final class Pages implements Work {
    private static final int PAGE_ENTITIES = 1_000;
    private static final byte[] HEADERS =
            RequestWriter.headers("Accept", "application/json;odata=minimalmetadata");

    private final Dataset dataset;
    private final Continuations continuations;
    private final long[] seen;
    private double bytesPerEntity;

    Pages(Dataset dataset, int connections) {
        this.dataset = dataset;
        this.continuations = new Continuations(connections);
        this.seen = new long[connections];
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        requests.path().put(dataset.table()).put("()");
        ByteText query = requests.query().put("$top=").putDecimal(PAGE_ENTITIES);
        continuations.putOptions(connection, query);
        requests.write("GET", HEADERS, out);
        return true;
    }

    @Override
    public long check(int connection, Answer answer) throws UnexpectedAnswer {
        if (answer.status() != 200) {
            lost(connection);
            throw UnexpectedAnswer.ofStatus(answer);
        }
        long entities = entitiesIn(answer);
        seen[connection] += entities;
        if (!continuations.follow(connection, answer)) {
            long total = seen[connection];
            seen[connection] = 0;
            if (total != dataset.entities()) {
                throw new UnexpectedAnswer("pages held " + total + " entities", answer);
            }
        }
        return entities;
    }

    /**
     * Counts exactly on the first page. Entities have equal lengths but for a few digits, so on
     * later pages the length gives their number, and counting costs no measured time.
     */
    private long entitiesIn(Answer answer) {
        if (bytesPerEntity == 0) {
            long entities = answer.count("\"RowKey\":");
            bytesPerEntity = (double) answer.bodyLength() / Math.max(1, entities);
        }
        return Math.round(answer.bodyLength() / bytesPerEntity);
    }

    @Override
    public void lost(int connection) {
        continuations.restart(connection);
        seen[connection] = 0;
    }
}

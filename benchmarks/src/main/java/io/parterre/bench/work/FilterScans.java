package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;
import java.util.SplittableRandom;

/**
 * Searches for one entity by a property that is no key, so that every entity of the table must be
 * tested. A scan consists of all its pages; its entities count when it ends, by the size of the
 * table.
 */
public final class FilterScans implements Work {
    private static final byte[] HEADERS =
            RequestWriter.headers("Accept", "application/json;odata=minimalmetadata");

    private final Dataset dataset;
    private final Continuations continuations;
    private final long[] wanted;
    private final long[] found;
    private final SplittableRandom random;
    private long scansLeft;

    /**
     * Creates the scans.
     *
     * @param scans number of scans to begin; {@link Long#MAX_VALUE} for no end
     */
    public FilterScans(Dataset dataset, int connections, long scans, long seed) {
        this.dataset = dataset;
        this.continuations = new Continuations(connections);
        this.wanted = new long[connections];
        this.found = new long[connections];
        this.random = new SplittableRandom(seed);
        this.scansLeft = scans;
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        if (continuations.atStart(connection)) {
            if (scansLeft == 0) {
                return false;
            }
            scansLeft--;
            wanted[connection] = random.nextLong(dataset.entities());
            found[connection] = 0;
        }
        requests.path().put(dataset.table()).put("()");
        ByteText query = requests.query().put("$filter=Number%20eq%20");
        query.putDecimal(wanted[connection]);
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
        found[connection] += answer.count("\"RowKey\":");
        if (continuations.follow(connection, answer)) {
            return 0;
        }
        if (found[connection] != 1) {
            throw new UnexpectedAnswer("scan found " + found[connection], answer);
        }
        return dataset.entities();
    }

    @Override
    public void lost(int connection) {
        continuations.restart(connection);
    }
}

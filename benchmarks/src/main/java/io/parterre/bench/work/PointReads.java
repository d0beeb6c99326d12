package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;
import java.util.SplittableRandom;

/** Reads random existing entities, each by its keys, or always the first one. */
final class PointReads implements Work {
    private static final byte[] HEADERS =
            RequestWriter.headers("Accept", "application/json;odata=minimalmetadata");

    private final Dataset dataset;
    private final long rows;
    private final SplittableRandom random;

    PointReads(Dataset dataset, long seed) {
        this(dataset, dataset.entities(), seed);
    }

    /** Creates reads of this number of rows of the dataset, from its first on. */
    PointReads(Dataset dataset, long rows, long seed) {
        this.dataset = dataset;
        this.rows = rows;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        long row = random.nextLong(rows);
        ByteText path = requests.path().put(dataset.table());
        SampleEntity.putKeys(Dataset.partitionOf(row), row, path);
        requests.write("GET", HEADERS, out);
        return true;
    }

    @Override
    public long check(int connection, Answer answer) throws UnexpectedAnswer {
        if (answer.status() != 200) {
            throw UnexpectedAnswer.ofStatus(answer);
        }
        // The answer is the entity with its timestamp and its metadata, so it is longer than the
        // body of the insert.
        if (answer.bodyLength() < SampleEntity.JSON_BYTES) {
            throw new UnexpectedAnswer("entity too short", answer);
        }
        return 1;
    }
}

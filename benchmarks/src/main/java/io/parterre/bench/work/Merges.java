package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;
import java.util.SplittableRandom;

/** Merges (insert or merge, no condition) random existing entities, with every property. */
final class Merges implements Work {
    private final Dataset dataset;
    private final SplittableRandom random;

    Merges(Dataset dataset, long seed) {
        this.dataset = dataset;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        long row = random.nextLong(dataset.entities());
        long partition = Dataset.partitionOf(row);
        SampleEntity.putKeys(partition, row, requests.path().put(dataset.table()));
        SampleEntity.putJson(partition, row, random.nextInt(1_000_000), requests.body());
        requests.write("MERGE", Inserts.HEADERS, out);
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

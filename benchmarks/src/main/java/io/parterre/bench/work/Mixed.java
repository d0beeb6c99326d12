package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;
import java.util.SplittableRandom;

/** Of ten requests, seven read, two merge and one inserts, in random order. */
final class Mixed implements Work {
    private final Work reads;
    private final Work merges;
    private final Work inserts;
    private final SplittableRandom random;
    private final Work[] asked;

    Mixed(Work reads, Work merges, Work inserts, int connections, long seed) {
        this.reads = reads;
        this.merges = merges;
        this.inserts = inserts;
        this.random = new SplittableRandom(seed);
        this.asked = new Work[connections];
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        int chance = random.nextInt(10);
        Work chosen = chance < 7 ? reads : chance < 9 ? merges : inserts;
        asked[connection] = chosen;
        return chosen.next(connection, requests, out);
    }

    @Override
    public long check(int connection, Answer answer) throws UnexpectedAnswer {
        return asked[connection].check(connection, answer);
    }
}

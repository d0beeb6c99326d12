package io.parterre.bench.hotspot;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;

/** Reads every acknowledged entity once by its keys, on one connection. Not thread-safe. */
final class FinalReads implements Work {
    private final EntityCalls entities;
    private final Held held;
    private long next;
    private long asked;

    FinalReads(EntityCalls entities, Held held) {
        this.entities = entities;
        this.held = held;
    }

    @Override
    public boolean next(int ignored, RequestWriter requests, ByteText out) {
        long end = (long) held.connections() * held.partitions();
        while (next < end && !held.isKnown(owner(next), partition(next))) {
            next++;
        }
        if (next == end) {
            return false;
        }
        asked = next++;
        entities.read(owner(asked), partition(asked), requests, out);
        return true;
    }

    private int owner(long number) {
        return (int) (number / held.partitions());
    }

    private int partition(long number) {
        return (int) (number % held.partitions());
    }

    @Override
    public long check(int ignored, Answer answer) throws UnexpectedAnswer {
        EntityCalls.checkRead(answer, held.revision(owner(asked), partition(asked)));
        return 1;
    }
}

package io.parterre.bench.hotspot;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.Pace;
import io.parterre.bench.load.Recorder;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Calls of one front end's clients: half reads, half writes, of partitions drawn by the current
 * offer, at its rate. Each of many connections calls rarely, so that connections that wait for one
 * range do not keep others from calling another. {@link #offer} and {@link #end} are thread-safe;
 * everything else is confined to the loop's thread until the loop has ended.
 */
final class SkewedCalls implements Work, Recorder, Pace {
    private final EntityCalls entities;
    private final RunClock clock;
    private final Held held;
    private final SplittableRandom random;
    private final double loops;
    private final int[] partitions;
    private final long[] revisions;
    private final long[] due;
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Long> errors = new TreeMap<>();
    private final Map<String, String> firstErrors = new TreeMap<>();
    private volatile Offer offer;
    private volatile boolean ended;
    private long revision;
    private int answeredPartition;

    /**
     * Creates the calls.
     *
     * @param loops number of loops that share the offer
     */
    SkewedCalls(
            EntityCalls entities,
            int connections,
            int loops,
            Offer offer,
            RunClock clock,
            SplittableRandom random) {
        this.entities = entities;
        this.clock = clock;
        this.held = new Held(connections, offer.skew().partitions());
        this.random = random;
        this.loops = loops;
        this.partitions = new int[connections];
        this.revisions = new long[connections];
        this.due = new long[connections];
        this.offer = offer;
    }

    /** Sets the offer from now on. */
    void offer(Offer next) {
        offer = next;
    }

    /** Ends the calls. */
    void end() {
        ended = true;
    }

    @Override
    public long dueNanos(int connection, long nowNanos) {
        double periodNanos = 1e9 * due.length * loops / offer.callsPerSecond();
        if (due[connection] == 0) { // The first ones are spread over a period.
            due[connection] = nowNanos + (long) (random.nextDouble() * periodNanos);
        } else {
            // A late call is not made up for, because a pause must not end in a burst.
            due[connection] =
                    Math.max(nowNanos, due[connection])
                            + (long) ((0.5 + random.nextDouble()) * periodNanos);
        }
        return due[connection];
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        if (ended) {
            return false;
        }
        int partition = offer.skew().draw(random.nextDouble());
        partitions[connection] = partition;
        if (held.isKnown(connection, partition) && random.nextBoolean()) {
            revisions[connection] = 0;
            entities.read(connection, partition, requests, out);
        } else {
            revisions[connection] = ++revision;
            entities.write(connection, partition, revision, requests, out);
        }
        return true;
    }

    @Override
    public long check(int connection, Answer answer) throws UnexpectedAnswer {
        int partition = partitions[connection];
        long written = revisions[connection];
        answeredPartition = partition;
        if (written == 0) {
            EntityCalls.checkRead(answer, held.revision(connection, partition));
            return 1;
        }
        try {
            EntityCalls.checkWritten(answer);
        } catch (UnexpectedAnswer unexpected) {
            held.doubt(connection, partition);
            throw unexpected;
        }
        held.acknowledge(connection, partition, written);
        return 1;
    }

    @Override
    public void lost(int connection) {
        if (revisions[connection] != 0) {
            held.doubt(connection, partitions[connection]);
        }
    }

    /** Called right after the work has judged the same answer. */
    @Override
    public void answered(long startNanos, long endNanos, long count) {
        calls.add(new Call(clock.micros(startNanos), clock.micros(endNanos), answeredPartition));
    }

    @Override
    public void failed(long nowNanos, String kind, String details) {
        errors.merge(kind, 1L, Long::sum);
        firstErrors.putIfAbsent(kind, "at " + clock.micros(nowNanos) / 1_000 + " ms: " + details);
    }

    Held held() {
        return held;
    }

    EntityCalls entities() {
        return entities;
    }

    List<Call> calls() {
        return calls;
    }

    Map<String, Long> errors() {
        return errors;
    }

    /** Returns the first answer of each kind of error. */
    Map<String, String> firstErrors() {
        return firstErrors;
    }
}

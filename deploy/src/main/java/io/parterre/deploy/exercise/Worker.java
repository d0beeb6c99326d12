package io.parterre.deploy.exercise;

import io.parterre.deploy.exercise.LedgerLine.Kind;
import io.parterre.deploy.exercise.PatientCalls.Ended;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Writes and reads its own keys, one call at a time. Confined to one thread. */
final class Worker {
    /** The keys of one worker are in several partitions, so that ranges may split between them. */
    private static final int PARTITIONS = 16;

    /** One of this many writes has a new key, as long as new keys are allowed. */
    private static final int WRITES_A_NEW_KEY = 4;

    private final String name;
    private final ExercisePlan plan;
    private final TableCalls table;
    private final PatientCalls calls;
    private final LedgerFile ledger;
    private final Tally tally;
    private final SplittableRandom random;
    private final List<EntityKey> open = new ArrayList<>();
    private int made;

    /**
     * Creates a worker without sending anything.
     *
     * @param name different from that of every other worker that wrote to this table
     */
    Worker(
            String name,
            ExercisePlan plan,
            TableCalls table,
            PatientCalls calls,
            LedgerFile ledger,
            Tally tally,
            SplittableRandom random) {
        this.name = name;
        this.plan = plan;
        this.table = table;
        this.calls = calls;
        this.ledger = ledger;
        this.tally = tally;
        this.random = random;
    }

    /** Makes one call with its retries. */
    void step() throws InterruptedException {
        if (open.isEmpty() || random.nextBoolean()) {
            write(nextKey());
        } else {
            read(open.get(random.nextInt(open.size())));
        }
    }

    private EntityKey nextKey() {
        boolean more = open.size() < plan.keysPerWorker();
        if (open.isEmpty() || more && random.nextInt(WRITES_A_NEW_KEY) == 0) {
            made++;
            EntityKey key = new EntityKey(name + "-" + made % PARTITIONS, Integer.toString(made));
            open.add(key);
            return key;
        }
        return open.get(random.nextInt(open.size()));
    }

    private void write(EntityKey key) throws InterruptedException {
        long version = ledger.ledger().nextVersion(key);
        ledger.add(new LedgerLine(Kind.SENT, key, version));
        String body = EntityBody.of(key, version, plan.characters());
        Ended ended = calls.call(() -> table.put(plan.table(), key, body));
        if (ended.answer().isSuccess()) {
            ledger.add(new LedgerLine(Kind.ACKNOWLEDGED, key, version));
            tally.acknowledged();
        } else {
            tally.failed("write of " + key + ": " + ended.answer().shown());
        }
        if (!ended.answer().isSuccess() || ended.tries() > 1) {
            ledger.add(new LedgerLine(Kind.CLOSED, key, version));
            open.remove(key);
        }
    }

    /** Reads an entity and compares it with the ledger. */
    void read(EntityKey key) throws InterruptedException {
        Answer answer = calls.call(() -> table.get(plan.table(), key)).answer();
        if (answer.status() == HttpURLConnection.HTTP_NOT_FOUND) {
            compare(key, 0);
        } else if (!answer.isSuccess()) {
            tally.failed("read of " + key + ": " + answer.shown());
        } else {
            OptionalLong version = EntityBody.version(key, answer.text());
            if (version.isPresent()) {
                compare(key, version.getAsLong());
            } else {
                tally.wrong(key + ": not whole: " + answer.shown());
            }
        }
    }

    private void compare(EntityKey key, long version) {
        ledger.ledger().contradiction(key, version).ifPresent(tally::wrong);
    }
}

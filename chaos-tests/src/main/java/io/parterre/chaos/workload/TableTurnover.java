package io.parterre.chaos.workload;

import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Creates a few tables, marks each with an entity, deletes it and creates it again, and records the
 * progress. A table that was created again must not contain the mark of an earlier table of its
 * name, however the deletion was interrupted. One thread works at a time; the test's thread starts
 * it and verifies after it has ended.
 */
public final class TableTurnover {
    private static final int TABLES = 4;
    private static final Duration END_WITHIN = Duration.ofSeconds(60);

    /** Stages of a table's life; each leads to the next, the last to the first. */
    private enum Stage {
        ABSENT,
        EMPTY,
        MARKED;

        Stage next() {
            return switch (this) {
                case ABSENT -> EMPTY;
                case EMPTY -> MARKED;
                case MARKED -> ABSENT;
            };
        }
    }

    private final SplittableRandom random;
    private final List<EnumSet<Stage>> possible = new ArrayList<>();
    private final int[] lives = new int[TABLES];
    private final List<String> violations = new ArrayList<>();
    private Thread thread;
    private volatile boolean stopping;

    public TableTurnover(long seed) {
        this.random = new SplittableRandom(seed);
        for (int i = 0; i < TABLES; i++) {
            possible.add(EnumSet.of(Stage.ABSENT));
        }
    }

    /** Starts the work, which runs until it is told to stop or loses the server. */
    public void start(TableConnection connection) {
        stopping = false;
        thread = new Thread(() -> run(connection), "table-turnover");
        thread.start();
    }

    public void stop() {
        stopping = true;
        awaitEnd();
    }

    /** Waits until the work has ended because the server is gone. */
    public void awaitEnd() {
        await("end of table turnover").atMost(END_WITHIN).until(() -> !thread.isAlive());
    }

    /** Returns the number of lives so far that ended with an acknowledged deletion. */
    public int lives() {
        return Arrays.stream(lives).sum();
    }

    /** Compares with what exists now, and continues from this state. Returns what is wrong. */
    public List<String> verify(TableConnection connection) {
        for (int table = 0; table < TABLES; table++) {
            Stage found = observe(connection, table);
            if (!possible.get(table).contains(found)) {
                violations.add(
                        name(table)
                                + ": found "
                                + found
                                + " (expected: "
                                + possible.get(table)
                                + ")");
            }
            if (possible.get(table).contains(Stage.MARKED) && found == Stage.ABSENT) {
                lives[table]++;
            }
            possible.set(table, EnumSet.of(found));
        }
        return List.copyOf(violations);
    }

    private void run(TableConnection connection) {
        try {
            boolean goOn = true;
            while (goOn && !stopping) {
                goOn = step(connection, random.nextInt(TABLES));
            }
        } catch (RuntimeException e) {
            violations.add("turnover gave up: " + e);
        }
    }

    /** Makes one step; returns false if no server is left to work with. */
    private boolean step(TableConnection connection, int table) {
        if (possible.get(table).size() > 1) {
            // The stage of this table is unknown until the next verification; the other tables can
            // continue.
            return possible.stream().anyMatch(stages -> stages.size() == 1);
        }
        Stage from = possible.get(table).iterator().next();
        Answer answer = advance(connection, table, from);
        if (answer instanceof Answer.Acknowledged) {
            possible.set(table, EnumSet.of(from.next()));
            lives[table] += from == Stage.MARKED ? 1 : 0;
            return true;
        }
        if (answer instanceof Answer.Refused) {
            violations.add(name(table) + ": " + from + " answered " + answer);
            return false;
        }
        possible.set(table, EnumSet.of(from, from.next()));
        return answer instanceof Answer.Failed;
    }

    private Answer advance(TableConnection connection, int table, Stage from) {
        return switch (from) {
            case ABSENT -> connection.tryCreateTable(name(table));
            case EMPTY -> {
                Change mark = new Change.Insert(mark(table), lives[table]);
                yield connection.write(name(table), new Write("life", List.of(mark), false));
            }
            case MARKED -> connection.deleteTable(name(table));
        };
    }

    private Stage observe(TableConnection connection, int table) {
        if (!connection.hasTable(name(table))) {
            return Stage.ABSENT;
        }
        Set<EntityId> found = new HashSet<>();
        connection.scan(name(table), entity -> found.add(entity.id()));
        boolean marked = found.remove(new EntityId("life", mark(table)));
        found.forEach(id -> violations.add(name(table) + ": holds " + id + " of an earlier life"));
        return marked ? Stage.MARKED : Stage.EMPTY;
    }

    private String mark(int table) {
        return "life-" + lives[table];
    }

    private static String name(int table) {
        return "Turnover" + table;
    }
}

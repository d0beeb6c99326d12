package io.parterre.deploy.exercise;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Counts calls and their errors. Thread-safe. */
final class Tally {
    /** Number of errors kept: the first ones explain the others, and people read the report. */
    private static final int TROUBLES_KEPT = 20;

    private long calls;
    private long writes;
    private long retries;
    private long failed;
    private long wrong;
    private long verified;
    private long slowestNanos;
    private final List<String> troubles = new ArrayList<>();

    /** Counts a call that has ended, with any result. */
    synchronized void call(int tries, long nanos) {
        calls++;
        retries += tries - 1;
        slowestNanos = Math.max(slowestNanos, nanos);
    }

    synchronized void acknowledged() {
        writes++;
    }

    synchronized void verified() {
        verified++;
    }

    /** Counts a call that failed despite its retries. */
    synchronized void failed(String what) {
        failed++;
        keep("failed: " + what);
    }

    /** Counts a read that contradicts the ledger. */
    synchronized void wrong(String what) {
        wrong++;
        keep("wrong: " + what);
    }

    private void keep(String trouble) {
        if (troubles.size() < TROUBLES_KEPT) {
            troubles.add(trouble);
        }
    }

    synchronized ExerciseReport report(Duration took) {
        return new ExerciseReport(
                took.toSeconds(),
                calls,
                writes,
                retries,
                failed,
                slowestNanos / 1_000_000,
                verified,
                wrong,
                List.copyOf(troubles));
    }
}

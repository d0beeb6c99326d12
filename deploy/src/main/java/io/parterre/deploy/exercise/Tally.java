package io.parterre.deploy.exercise;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Counts calls and what was wrong with them. Safe for any thread. */
final class Tally {
    /** The first troubles explain the others, and a report is read by people. */
    private static final int TROUBLES_KEPT = 20;

    private long calls;
    private long writes;
    private long retries;
    private long failed;
    private long wrong;
    private long verified;
    private long slowestNanos;
    private final List<String> troubles = new ArrayList<>();

    /** Counts a call that has ended, whatever its end. */
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

    /** Counts a call that its retries did not save. */
    synchronized void failed(String what) {
        failed++;
        keep("failed: " + what);
    }

    /** Counts a reading that contradicts the ledger. */
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

package io.parterre.deploy.exercise;

import java.time.Duration;

/**
 * The load for a service.
 *
 * @param table created if it does not exist
 * @param length for how long calls are started
 * @param workers number of workers; each has one call at a time
 * @param callsPerSecond most calls of all workers together
 * @param keysPerWorker entities that a worker writes repeatedly
 * @param characters length of each entity's text
 */
public record ExercisePlan(
        String table,
        Duration length,
        int workers,
        int callsPerSecond,
        int keysPerWorker,
        int characters) {
    private static final int WORKERS_MAX = 1_000;
    private static final int CALLS_PER_SECOND_MAX = 1_000_000;
    private static final int KEYS_MAX = 100_000;

    /** A text property has at most 64 KiB, two bytes per character. */
    private static final int CHARACTERS_MAX = 32_768;

    public ExercisePlan {
        if (!table.matches("[A-Za-z][A-Za-z0-9]{2,62}")) {
            throw new IllegalArgumentException(
                    "--table: " + table + " (expected: a letter, then 2 to 62 letters or digits)");
        }
        if (length.isNegative()) {
            throw new IllegalArgumentException("--for: " + length + " (expected: 0s or longer)");
        }
        within("--workers", workers, 1, WORKERS_MAX);
        within("--rate", callsPerSecond, 1, CALLS_PER_SECOND_MAX);
        within("--keys", keysPerWorker, 1, KEYS_MAX);
        within("--size", characters, 0, CHARACTERS_MAX);
    }

    /** Returns the time from one call of a worker to its next. */
    Duration pause() {
        return Duration.ofNanos(1_000_000_000L * workers / callsPerSecond);
    }

    private static void within(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: " + min + " to " + max + ")");
        }
    }
}

package io.parterre.deploy.exercise;

import java.time.Duration;

/**
 * What is asked of a service.
 *
 * @param table it is made if it is not there
 * @param length how long calls are begun
 * @param workers each has one call at a time
 * @param callsPerSecond of all workers together, at most
 * @param keysPerWorker entities that a worker writes again and again
 * @param characters of each entity's text
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

    /** A property's text has at most 64 KiB, two bytes a character. */
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

    /** From one call of a worker to its next. */
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

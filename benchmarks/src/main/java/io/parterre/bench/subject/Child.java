package io.parterre.bench.subject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that we started and that ends with us. Thread-safe. */
public final class Child implements AutoCloseable {
    private static final Duration END_AT_MOST = Duration.ofSeconds(20);

    private final String name;
    private final Process process;
    private final Path log;

    Child(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /**
     * Waits for the end of the process.
     *
     * @return whether it has ended
     */
    public boolean ended(Duration atMost) throws InterruptedException {
        return process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns the exit code; the process must have ended. */
    int exitCode() {
        return process.exitValue();
    }

    /** Returns the name and the last lines that the process wrote, for people. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log);
            int from = Math.max(0, lines.size() - 15);
            return name + ":\n" + String.join("\n", lines.subList(from, lines.size()));
        } catch (IOException unreadable) {
            return name + ": no log at " + log + " (" + unreadable.getMessage() + ")";
        }
    }

    /** Terminates the process, and kills it after 20 seconds. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!ended(END_AT_MOST)) {
                process.destroyForcibly();
                process.waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

package io.parterre.bench.subject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that we started and that ends with us. Safe for any thread. */
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
     * Waits for its end.
     *
     * @return whether it has ended
     */
    public boolean ended(Duration atMost) throws InterruptedException {
        return process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** How it ended; it must have. */
    int exitCode() {
        return process.exitValue();
    }

    /** Its name and the last lines it wrote, for a person. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log);
            int from = Math.max(0, lines.size() - 15);
            return name + ":\n" + String.join("\n", lines.subList(from, lines.size()));
        } catch (IOException unreadable) {
            return name + ": no log at " + log + " (" + unreadable.getMessage() + ")";
        }
    }

    /** Asks it to end, and after 20 seconds makes it. */
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

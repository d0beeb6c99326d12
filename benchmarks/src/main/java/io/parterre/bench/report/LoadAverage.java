package io.parterre.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine's load average of the last minute around something measured. What is measured is part
 * of it; above the load it makes itself, somebody else was at work.
 */
public final class LoadAverage {
    private static final Path FILE = Path.of("/proc/loadavg");

    private final String before;

    private LoadAverage(String before) {
        this.before = before;
    }

    public static LoadAverage begin() {
        return new LoadAverage(now());
    }

    /** As "0.4 to 3.1". */
    public String end() {
        return before + " to " + now();
    }

    /** Of the last minute; "unknown" where the system does not tell. */
    static String now() {
        if (!Files.isReadable(FILE)) {
            return "unknown";
        }
        try {
            return Files.readString(FILE).split(" ", 2)[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

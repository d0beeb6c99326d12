package io.parterre.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine's load average of the last minute, before and after a measurement. It includes the
 * measurement itself; if it is higher than the measurement's own load, other programs were running.
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

    /** Returns the form "0.4 to 3.1". */
    public String end() {
        return before + " to " + now();
    }

    /** Returns the load average of the last minute; "unknown" if the system does not tell it. */
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

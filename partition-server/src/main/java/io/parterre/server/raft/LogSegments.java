package io.parterre.server.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the files in which Ratis keeps a log. Stateless; safe for any thread. */
final class LogSegments {
    /** {@code log_<first index>-<last index>}; the one still written to has another name. */
    private static final Pattern CLOSED = Pattern.compile("log_\\d+-(\\d+)");

    private LogSegments() {}

    /** A file that is written to no more. */
    record Closed(long lastIndex, long bytes) {}

    /** The closed segments in the order of the log. */
    static List<Closed> closed(Path folder) throws IOException {
        List<Closed> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Matcher name = CLOSED.matcher(file.getFileName().toString());
                if (name.matches()) {
                    found.add(new Closed(Long.parseLong(name.group(1)), Files.size(file)));
                }
            }
        }
        found.sort(Comparator.comparingLong(Closed::lastIndex));
        return found;
    }
}

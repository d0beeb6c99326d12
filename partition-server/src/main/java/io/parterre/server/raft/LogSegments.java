package io.parterre.server.raft;

import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;

/** The files in which Ratis keeps a log. Stateless; safe for any thread. */
public final class LogSegments {
    /** {@code log_<first index>-<last index>}; the open segment has another name. */
    private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");

    private static final Pattern FIRST_INDEX = Pattern.compile("log_(?:inprogress_)?(\\d+)");

    private LogSegments() {}

    /** A closed segment: a file that is no longer written to. */
    record Closed(long firstIndex, long lastIndex, long bytes) {}

    /** Bytes of all files of a log; 0 if there is no log. */
    public static long bytes(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (LogSegmentPath.matchLogSegment(file) != null) {
                    bytes += size(file);
                }
            }
        }
        return bytes;
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException dropped) {
            return 0;
        }
    }

    /** Returns the closed segments in log order. */
    static List<Closed> closed(Path folder) throws IOException {
        List<Closed> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Matcher name = CLOSED.matcher(file.getFileName().toString());
                if (name.matches()) {
                    found.add(
                            new Closed(
                                    Long.parseLong(name.group(1)),
                                    Long.parseLong(name.group(2)),
                                    Files.size(file)));
                }
            }
        }
        found.sort(Comparator.comparingLong(Closed::lastIndex));
        return found;
    }

    /**
     * Drops a log that ends before an index up to which the rows on disk reach. Ratis would keep
     * its last segment, and find a gap before the next appended entry. The effect of all dropped
     * entries is in the rows. May be repeated after an interruption.
     *
     * @return whether the log was dropped
     * @throws IOException if the log cannot be read
     */
    public static boolean dropBefore(Path folder, long index) throws IOException {
        for (Closed segment : closed(folder)) {
            if (segment.lastIndex() >= index) {
                return false;
            }
        }
        List<Path> segments = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                LogSegmentPath segment = LogSegmentPath.matchLogSegment(file);
                if (segment == null) {
                    continue;
                }
                // Only the open segment does not state its last index in its name.
                boolean open = !CLOSED.matcher(file.getFileName().toString()).matches();
                if (open && lastIndex(segment) >= index) {
                    return false;
                }
                segments.add(file);
            }
        }
        for (Path segment : segments) {
            Files.delete(segment);
        }
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
        return !segments.isEmpty();
    }

    /** Receives entries one by one. */
    @FunctionalInterface
    interface EntrySink {
        void take(LogEntryProto entry) throws IOException;
    }

    /**
     * Reads all entries of a log in order.
     *
     * @throws IOException if the log cannot be read, or if the sink throws it
     */
    static void read(Path folder, EntrySink sink) throws IOException {
        List<LogSegmentPath> segments = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                LogSegmentPath segment = LogSegmentPath.matchLogSegment(file);
                if (segment != null) {
                    segments.add(segment);
                }
            }
        }
        segments.sort(Comparator.comparingLong(LogSegments::firstIndex));
        for (LogSegmentPath segment : segments) {
            List<LogEntryProto> entries = new ArrayList<>();
            LogSegment.readSegmentFile(
                    segment.getPath().toFile(),
                    segment.getStartEnd(),
                    SizeInBytes.valueOf(RaftSettings.APPEND_BYTES_MAX),
                    RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION,
                    null,
                    entries::add);
            for (LogEntryProto entry : entries) {
                sink.take(entry);
            }
        }
    }

    /**
     * Returns the proposed bytes of an entry; empty if the log does not have the entry.
     *
     * @throws IOException if the log cannot be read
     */
    public static Optional<byte[]> data(Path folder, AppliedPosition position) throws IOException {
        List<byte[]> found = new ArrayList<>();
        read(
                folder,
                each -> {
                    if (each.getTerm() == position.term() && each.getIndex() == position.index()) {
                        found.add(each.getStateMachineLogEntry().getLogData().toByteArray());
                    }
                });
        return found.stream().findFirst();
    }

    private static long firstIndex(LogSegmentPath segment) {
        Matcher name = FIRST_INDEX.matcher(segment.getPath().getFileName().toString());
        if (!name.lookingAt()) {
            throw new IllegalArgumentException("log segment: " + segment + " (expected: numbered)");
        }
        return Long.parseLong(name.group(1));
    }

    private static long lastIndex(LogSegmentPath segment) throws IOException {
        long[] last = {-1};
        LogSegment.readSegmentFile(
                segment.getPath().toFile(),
                segment.getStartEnd(),
                SizeInBytes.valueOf(RaftSettings.APPEND_BYTES_MAX),
                RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION,
                null,
                entry -> last[0] = entry.getIndex());
        return last[0];
    }
}

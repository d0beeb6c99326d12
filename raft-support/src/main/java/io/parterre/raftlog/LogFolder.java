package io.parterre.raftlog;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/**
 * The segments of one log that is not open, unless a method says otherwise. The methods wait for
 * the disk; one caller at a time.
 *
 * @param path folder that holds the segments
 */
public record LogFolder(Path path) {
    /** {@code log_inprogress_<first index>}: the segment that was written last. */
    private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d+)");

    private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");

    /**
     * A torn end that was cut off.
     *
     * @param file segment
     * @param offset first byte that was cut off
     * @param bytes number of bytes that were cut off
     */
    public record Cut(Path file, long offset, long bytes) {}

    /**
     * Cuts off a write that a power loss tore at the end of the log. Does nothing if the log is
     * whole or does not exist. A call that was interrupted may be repeated.
     *
     * @return the part that was cut off; empty: none
     * @throws DamagedLogException if the last written segment is damaged; the segment is unchanged
     * @throws IOException if the segment cannot be read or written
     */
    public Optional<Cut> mend() throws IOException {
        Optional<Path> open = segments(OPEN).stream().reduce((earlier, later) -> later);
        if (open.isEmpty()) {
            return Optional.empty();
        }
        long bytes = Files.size(open.get());
        LogTail tail = LogTail.of(Files.readAllBytes(open.get()));
        if (tail instanceof LogTail.Damaged damage) {
            throw new DamagedLogException(open.get(), damage);
        }
        if (!(tail instanceof LogTail.Torn torn)) {
            return Optional.empty();
        }
        try (FileChannel file = FileChannel.open(open.get(), StandardOpenOption.WRITE)) {
            file.truncate(torn.validBytes());
            file.force(true);
        }
        return Optional.of(new Cut(open.get(), torn.validBytes(), bytes - torn.validBytes()));
    }

    /**
     * Checks all segments for damage. Ratis 3.3.0 fails to open a damaged log without naming the
     * file. The exception of this method names the file.
     *
     * @throws DamagedLogException if a segment is damaged
     */
    public void requireWhole() throws IOException {
        for (Pattern kind : List.of(CLOSED, OPEN)) {
            for (Path segment : segments(kind)) {
                requireWhole(segment);
            }
        }
    }

    /**
     * Checks a closed segment for damage, also while the log is open.
     *
     * @param segment one of {@link #closed}
     * @throws DamagedLogException if the segment is damaged
     */
    public static void requireWhole(Path segment) throws IOException {
        LogTail tail = LogTail.of(Files.readAllBytes(segment));
        if (tail instanceof LogTail.Damaged damage) {
            throw new DamagedLogException(segment, damage);
        }
        if (tail instanceof LogTail.Torn torn) {
            throw new DamagedLogException(
                    segment, new LogTail.Damaged(torn.validBytes(), "the segment was complete"));
        }
    }

    /** Returns the closed segments in the order of the log. */
    public List<Path> closed() throws IOException {
        return segments(CLOSED);
    }

    /**
     * Makes a cut of entries at the end of the log durable. Such a cut deletes segments, and
     * shortens and renames one segment. The log may be open; only its writer calls this method.
     *
     * @param index first entry that was cut off
     */
    public void syncCut(long index) throws IOException {
        for (Path segment : closed()) {
            Matcher name = CLOSED.matcher(segment.getFileName().toString());
            if (name.matches() && Long.parseLong(name.group(2)) == index - 1) {
                try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
                    file.force(true);
                }
            }
        }
        try (FileChannel folder = FileChannel.open(path, StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    /** Returns the index of the last whole entry; empty: the log holds none. */
    public OptionalLong lastIndex() throws IOException {
        List<Path> open = segments(OPEN);
        for (int i = open.size() - 1; i >= 0; i--) {
            Optional<byte[]> last = new SegmentScan(Files.readAllBytes(open.get(i))).lastMessage();
            if (last.isPresent()) {
                return OptionalLong.of(LogEntryProto.parseFrom(last.get()).getIndex());
            }
        }
        OptionalLong last = OptionalLong.empty();
        for (Path segment : closed()) {
            Matcher name = CLOSED.matcher(segment.getFileName().toString());
            last = name.matches() ? OptionalLong.of(Long.parseLong(name.group(2))) : last;
        }
        return last;
    }

    /**
     * Returns the appended configurations, committed or not, in the order of the log. Purged
     * segments do not count. The search in a segment ends at the first entry that is not whole.
     *
     * @param index only configurations after this entry count
     */
    public List<LogEntryProto> configurationsAfter(long index) throws IOException {
        List<LogEntryProto> configurations = new ArrayList<>();
        for (Pattern kind : List.of(CLOSED, OPEN)) {
            for (Path segment : segments(kind)) {
                for (byte[] message : new SegmentScan(Files.readAllBytes(segment)).messages()) {
                    LogEntryProto entry = LogEntryProto.parseFrom(message);
                    if (entry.hasConfigurationEntry() && entry.getIndex() > index) {
                        configurations.add(entry);
                    }
                }
            }
        }
        return List.copyOf(configurations);
    }

    /** Returns the segments of a kind in the order of the log. */
    private List<Path> segments(Pattern kind) throws IOException {
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> firstIndex(kind, file).isPresent())
                    .sorted(Comparator.comparingLong(file -> firstIndex(kind, file).orElseThrow()))
                    .toList();
        }
    }

    private static Optional<Long> firstIndex(Pattern kind, Path file) {
        Matcher name = kind.matcher(file.getFileName().toString());
        return name.matches() ? Optional.of(Long.parseLong(name.group(1))) : Optional.empty();
    }
}

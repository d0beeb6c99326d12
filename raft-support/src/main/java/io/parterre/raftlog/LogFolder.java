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
 * The segments of one log, while nobody has them open. Blocks for the disk; one caller at a time.
 *
 * @param path folder that holds the segments
 */
public record LogFolder(Path path) {
    /** {@code log_inprogress_<first index>}: the segment that was written to last. */
    private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d+)");

    private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");

    /**
     * What was cut off.
     *
     * @param offset from which on
     */
    public record Cut(Path file, long offset, long bytes) {}

    /**
     * Cuts off what a power loss has left of a write at the end of the log. Does nothing if the log
     * is whole or not there. May be done again where it was cut short.
     *
     * @return what was cut off, to be logged; empty: nothing
     * @throws DamagedLogException if the segment written to last is damaged; it is left as it is
     * @throws IOException if it cannot be read or written
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
     * Looks for damage in all segments, to say where it is once the log could not be opened.
     *
     * @throws DamagedLogException if there is some
     */
    public void requireWhole() throws IOException {
        for (Pattern kind : List.of(CLOSED, OPEN)) {
            for (Path segment : segments(kind)) {
                requireWhole(segment);
            }
        }
    }

    /**
     * Looks for damage in a segment that is written to no more; also while the log is open.
     *
     * @param segment one of {@link #closed}
     * @throws DamagedLogException if there is some
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

    /** Segments that are written to no more, in the order of the log. */
    public List<Path> closed() throws IOException {
        return segments(CLOSED);
    }

    /**
     * Makes last that entries were cut off the end of the log: segments are gone, and one is
     * shorter and has another name. Also while the log is open; by its writer alone.
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

    /** Index of the last whole entry; empty: there is none, or it no longer exists. */
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
     * Configurations that were appended, be they committed or not, in the order of the log; those
     * of segments that no longer exist are not among them. Looks no further than the first entry
     * that is not whole.
     *
     * @param index of the entry after which they are looked for
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

    /** In the order of the log. */
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

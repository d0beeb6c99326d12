package io.parterre.server.quarantine;

import io.parterre.file.DurableFiles;
import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Notes beside the Raft logs about entries that could not be applied, one file of each kind for a
 * range:
 *
 * <pre>
 * GROUP.quarantine   the replica is quarantined, see {@link QuarantineMark}
 * GROUP.passed-over  entries that are skipped, a line "term index" each
 * GROUP.set-aside/   the log of a replica that a start has found quarantined
 * </pre>
 *
 * <p>Ratis joins each group whose folder it finds. So a start moves the log of a quarantined
 * replica to a name that belongs to no group, and a resume moves it back. Skipped entries stay
 * noted as long as the replica exists, because a start may apply its log again. Waits for the disk;
 * one thread at a time for each range.
 *
 * @param logs folder of the Raft logs, one folder for each group
 * @param release release of this process; empty if unknown
 */
public record Quarantines(Path logs, String release) {
    private static final String MARK = ".quarantine";

    /** The name that earlier releases use, because a start has to find their notes. */
    private static final String SKIPPED = ".passed-over";

    private static final String LOG = ".set-aside";
    private static final String UNFINISHED = ".new";

    private Path beside(RangeId rangeId, String suffix) {
        return logs.resolve(rangeId.groupId() + suffix);
    }

    private Path log(RangeId rangeId) {
        return logs.resolve(rangeId.groupId().toString());
    }

    /** Returns the reason why the range's replica is quarantined; empty if it is not. */
    public Optional<QuarantineMark> mark(RangeId rangeId) throws IOException {
        return read(beside(rangeId, MARK)).map(file -> QuarantineMark.decode(rangeId, file));
    }

    /** Marks the range's replica as quarantined; durable when the call returns. */
    public void mark(RangeId rangeId, QuarantineMark mark) throws IOException {
        write(beside(rangeId, MARK), mark.encode());
    }

    /** Returns the skipped entries, in the order in which they were noted. */
    public Set<AppliedPosition> skipped(RangeId rangeId) throws IOException {
        Set<AppliedPosition> entries = new LinkedHashSet<>();
        for (String line : read(beside(rangeId, SKIPPED)).orElse("").lines().toList()) {
            String[] parts = line.strip().split(" ");
            entries.add(new AppliedPosition(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
        }
        return entries;
    }

    /** Replaces the skipped entries; durable when the call returns. */
    public void skip(RangeId rangeId, Set<AppliedPosition> entries) throws IOException {
        StringBuilder lines = new StringBuilder();
        entries.forEach(
                each -> lines.append(each.term()).append(' ').append(each.index()).append('\n'));
        write(beside(rangeId, SKIPPED), lines.toString());
    }

    /** Moves the log to a name at which no start finds it. May be repeated. */
    public void hide(RangeId rangeId) throws IOException {
        move(log(rangeId), beside(rangeId, LOG));
    }

    /** Moves a hidden log back. Nobody may have it open. */
    public void show(RangeId rangeId) throws IOException {
        move(beside(rangeId, LOG), log(rangeId));
    }

    private void move(Path from, Path to) throws IOException {
        if (Files.isDirectory(from)) {
            if (Files.exists(to)) {
                throw new IOException("raft log at " + from + " (expected: none at " + to + ")");
            }
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.syncFolder(logs);
        }
    }

    /** Returns the folder of the replica's log, hidden or not. */
    public Path logFolder(RangeId rangeId) {
        Path hidden = beside(rangeId, LOG);
        return Files.isDirectory(hidden) ? hidden : log(rangeId);
    }

    /** Removes the mark of a quarantine; skipped entries stay noted. */
    public void unmark(RangeId rangeId) throws IOException {
        delete(List.of(beside(rangeId, MARK)));
    }

    /** Deletes all notes and the hidden log of a replica that is gone. */
    public void forget(RangeId rangeId) throws IOException {
        DurableFiles.removeFolder(beside(rangeId, LOG));
        delete(List.of(beside(rangeId, SKIPPED), beside(rangeId, MARK)));
    }

    private void delete(List<Path> files) throws IOException {
        boolean deleted = false;
        for (Path file : files) {
            deleted |= Files.deleteIfExists(file);
        }
        if (deleted) {
            DurableFiles.syncFolder(logs);
        }
    }

    private static Optional<String> read(Path file) throws IOException {
        return Files.exists(file)
                ? Optional.of(Files.readString(file, StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** Writes a file as a whole or not at all. */
    private void write(Path file, String content) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        try (FileChannel out =
                FileChannel.open(
                        unfinished,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            out.write(StandardCharsets.UTF_8.encode(content));
            out.force(true);
        }
        Files.move(
                unfinished,
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        DurableFiles.syncFolder(logs);
    }
}

package io.parterre.server.node;

import io.parterre.file.DurableFiles;
import io.parterre.raftlog.DamagedLogException;
import io.parterre.raftlog.LogFolder;
import io.parterre.raftlog.VoteFile;
import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.log.MissingLogException;
import io.parterre.server.quarantine.HeldLogs;
import io.parterre.server.quarantine.Quarantines;
import io.parterre.server.raft.LogSegments;
import io.parterre.server.raft.Replica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folders and notes of replicas outside of the store.
 *
 * @param logs Raft logs, one folder for each group
 * @param copies copies of replicas under way, one folder for each range
 * @param held keeps damaged logs; if empty, a node with a damaged log does not start
 * @param quarantines notes of entries that could not be applied
 */
public record ReplicaFolders(
        Path logs, Path copies, Optional<HeldLogs> held, Quarantines quarantines) {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFolders.class);

    private Path log(RangeId rangeId) {
        return logs.resolve(rangeId.groupId().toString());
    }

    Path copy(RangeId rangeId) {
        return copies.resolve(rangeId.toString());
    }

    /**
     * Requires a log of a replica that has applied something. A replica without its log has also
     * lost its vote and what was not flushed; continuing with an empty log would acknowledge the
     * lost entries as if the log were whole.
     *
     * @throws MissingLogException if the log is missing
     */
    void requireLog(Replica replica) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        boolean hadLog = replica.appliedIndex() >= 0 && replica.rows().phase() != ReplicaPhase.BORN;
        if (hadLog && !Files.isDirectory(log(rangeId))) {
            throw new MissingLogException(
                    "range "
                            + rangeId
                            + " was applied to index "
                            + replica.appliedIndex()
                            + " but has no raft log at "
                            + log(rangeId));
        }
    }

    /**
     * Requires rows for each log. A log without rows cannot be applied; the operator who lost the
     * rows has to decide.
     */
    void requireRows(Set<RangeId> ranges) throws IOException {
        if (!Files.isDirectory(logs)) {
            return;
        }
        try (Stream<Path> groups = Files.list(logs)) {
            for (Path group : (Iterable<Path>) groups::iterator) {
                Optional<RangeId> rangeId = rangeIdOf(group);
                if (rangeId.isPresent() && !ranges.contains(rangeId.get())) {
                    throw new IOException(
                            "raft log "
                                    + group
                                    + " of range "
                                    + rangeId.get()
                                    + " has no rows in the store: they were lost or belong to"
                                    + " another folder");
                }
            }
        }
    }

    private static Optional<RangeId> rangeIdOf(Path groupFolder) {
        try {
            return Optional.of(
                    RangeId.ofGroupId(UUID.fromString(groupFolder.getFileName().toString())));
        } catch (IllegalArgumentException notAGroup) {
            return Optional.empty();
        }
    }

    /**
     * Cuts a write that a power loss interrupted off the end of a log, and restores the last vote
     * if a full disk did not take it. Ratis would refuse the log for the torn write. To let Ratis
     * ignore what it cannot read would ignore damage too.
     *
     * @throws DamagedLogException if the log is damaged
     */
    void mendLog(RangeId rangeId) throws IOException {
        if (new VoteFile(segments(rangeId).path()).restore()) {
            LOG.warn("vote on file replaced by a later one that was told rangeId={}", rangeId);
        }
        segments(rangeId)
                .mend()
                .ifPresent(
                        cut ->
                                LOG.warn(
                                        "unfinished write at the end of the log cut off rangeId={}"
                                                + " file={} offset={} cutBytes={}",
                                        rangeId,
                                        cut.file(),
                                        cut.offset(),
                                        cut.bytes()));
    }

    /**
     * Requires that a log which could not be opened is whole; the exception names the place of the
     * damage.
     */
    void requireWholeLog(RangeId rangeId) throws IOException {
        segments(rangeId).requireWhole();
    }

    private LogFolder segments(RangeId rangeId) {
        return new LogFolder(log(rangeId).resolve("current"));
    }

    /**
     * Drops a log that is behind the rows. The process may have ended after a copy was installed
     * and before Ratis took note of it. Also, entries that the other members have committed are
     * applied although they may not be on this node's disk yet.
     */
    void catchUpLog(Replica replica) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        Path current = segments(rangeId).path();
        if (Files.isDirectory(current) && LogSegments.dropBefore(current, replica.flushedIndex())) {
            LOG.info("log behind rows dropped rangeId={}", rangeId);
        }
    }

    /** Folder of the segments of a log; it need not exist. */
    Path segmentFolder(RangeId rangeId) {
        return segments(rangeId).path();
    }

    /** Bytes of a replica's log on disk. */
    long logBytes(RangeId rangeId) throws IOException {
        return LogSegments.bytes(segments(rangeId).path());
    }

    /** Closed segments of a log. */
    List<Path> closedSegments(RangeId rangeId) throws IOException {
        return segments(rangeId).closed();
    }

    /**
     * Deletes a log for good, because the rows are deleted after it and a log without rows is a
     * fault. A held log is archived, and the notes about its entries are deleted too.
     */
    void deleteLog(RangeId rangeId) throws IOException {
        if (held.isPresent()) {
            held.get().archive(rangeId);
        }
        DurableFiles.removeFolder(log(rangeId));
        if (Files.isDirectory(logs)) {
            DurableFiles.syncFolder(logs);
        }
        quarantines.forget(rangeId);
    }

    void discardCopy(RangeId rangeId) throws IOException {
        DurableFiles.removeFolder(copy(rangeId));
    }

    /**
     * Deletes copies of a process that has ended; copies that are still needed were installed
     * before.
     */
    void discardCopies() throws IOException {
        DurableFiles.removeFolder(copies);
    }
}

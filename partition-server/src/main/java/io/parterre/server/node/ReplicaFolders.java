package io.parterre.server.node;

import io.parterre.file.DurableFiles;
import io.parterre.raftlog.DamagedLogException;
import io.parterre.raftlog.LogFolder;
import io.parterre.raftlog.VoteFile;
import io.parterre.range.RangeId;
import io.parterre.server.copy.StagedCopy;
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
 * Where replicas keep what is not in the store.
 *
 * @param logs Raft logs, one folder a group
 * @param copies copies of replicas under way, one folder a range
 * @param held takes damaged logs; empty: with one of those the node does not start
 * @param quarantines notes of entries that could not be applied
 */
public record ReplicaFolders(
        Path logs, Path copies, Optional<HeldLogs> held, Quarantines quarantines) {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFolders.class);

    /** Of a node that starts with whole logs only. */
    public ReplicaFolders(Path logs, Path copies) {
        this(logs, copies, Optional.empty(), new Quarantines(logs, ""));
    }

    private Path log(RangeId rangeId) {
        return logs.resolve(rangeId.groupId().toString());
    }

    Path copy(RangeId rangeId) {
        return copies.resolve(rangeId.toString());
    }

    /**
     * A replica that has applied something but lost its log has also lost its vote and what was not
     * flushed; going on with an empty log would acknowledge that as if it were whole.
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

    /** A log without rows cannot be applied; the operator who lost the rows has to decide. */
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
     * Takes a write that the loss of power cut short off the end of a log, and a vote that a full
     * disk did not take out of the way of the last. Ratis would refuse the log for it, and to let
     * Ratis pass over what it cannot read would also pass over damage.
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

    /** Says where a log is damaged that could not be opened. */
    void requireWholeLog(RangeId rangeId) throws IOException {
        segments(rangeId).requireWhole();
    }

    private LogFolder segments(RangeId rangeId) {
        return new LogFolder(log(rangeId).resolve("current"));
    }

    /**
     * Brings a log in step with rows that are ahead of it. Between a copy's being taken in and
     * Ratis taking note of it the process may have ended; and what the other members have committed
     * is applied though it may not be on this node's disk yet.
     */
    void catchUpLog(Replica replica) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        Path current = segments(rangeId).path();
        if (Files.isDirectory(current) && LogSegments.dropBefore(current, replica.flushedIndex())) {
            LOG.info("log behind rows dropped rangeId={}", rangeId);
        }
    }

    /** Where the segments of a log lie; need not be there. */
    Path segmentFolder(RangeId rangeId) {
        return segments(rangeId).path();
    }

    /** Bytes of a replica's log on disk. */
    long logBytes(RangeId rangeId) throws IOException {
        return LogSegments.bytes(segments(rangeId).path());
    }

    /** Segments of a log that are written to no more. */
    List<Path> closedSegments(RangeId rangeId) throws IOException {
        return segments(rangeId).closed();
    }

    /**
     * Gone for good when it returns: the rows go after it, and a log without rows is a fault. A
     * held one is archived, and what was noted of its entries goes too.
     */
    void deleteLog(RangeId rangeId) throws IOException {
        if (held.isPresent()) {
            held.get().archive(rangeId);
        }
        DurableFiles.removeFolder(log(rangeId));
        if (Files.isDirectory(logs)) {
            StagedCopy.sync(logs);
        }
        quarantines.forget(rangeId);
    }

    void discardCopy(RangeId rangeId) throws IOException {
        DurableFiles.removeFolder(copy(rangeId));
    }

    /** Of a process that has ended; those that are still needed were taken in before. */
    void discardCopies() throws IOException {
        DurableFiles.removeFolder(copies);
    }
}

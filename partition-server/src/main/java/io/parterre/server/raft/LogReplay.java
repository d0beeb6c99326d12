package io.parterre.server.raft;

import io.parterre.server.command.LogEntry;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/**
 * Applies all entries of a log without asking whether they are committed: if a range's majority is
 * lost nobody knows that any more, and the end of the log may have been acknowledged. Used by one
 * thread while nobody has the log open.
 */
public final class LogReplay {
    private final AppliedRows rows;
    private final Set<AppliedPosition> skipped;
    private AppliedPosition applied;

    LogReplay(AppliedRows rows, Set<AppliedPosition> skipped) {
        this.rows = rows;
        this.skipped = skipped;
        this.applied = rows.applied();
    }

    /**
     * Applies all entries after those that the rows hold, in order.
     *
     * @param folder folder of the log's segments
     * @param skipped entries to be applied without effect
     * @return the position of the rows after that
     * @throws IOException if the log cannot be read or lacks an entry
     */
    public static AppliedPosition run(Path folder, AppliedRows rows, Set<AppliedPosition> skipped)
            throws IOException {
        LogReplay replay = new LogReplay(rows, skipped);
        if (Files.isDirectory(folder)) {
            LogSegments.read(folder, replay::next);
        }
        return replay.applied;
    }

    /** Applies an entry, unless the rows hold it already. */
    void next(LogEntryProto logged) throws IOException {
        if (logged.getIndex() <= applied.index()) {
            return;
        }
        if (logged.getIndex() != applied.index() + 1) {
            throw new IOException(
                    "log entry: "
                            + logged.getIndex()
                            + " (expected: "
                            + (applied.index() + 1)
                            + ")");
        }
        AppliedPosition position = new AppliedPosition(logged.getTerm(), logged.getIndex());
        Optional<LogEntry> entry =
                Optional.of(logged)
                        .filter(LogEntryProto::hasStateMachineLogEntry)
                        .filter(each -> !skipped.contains(position))
                        .map(
                                each ->
                                        each.getStateMachineLogEntry()
                                                .getLogData()
                                                .asReadOnlyByteBuffer())
                        .map(LogEntryCodec::decode)
                        .filter(each -> each.commands().stream().anyMatch(LogReplay::isApplied));
        if (entry.isPresent()) {
            // The whole entry with a filter. Without the filtered commands, the number of commands
            // applied already would count other commands.
            rows.apply(entry.get(), position, LogReplay::isApplied);
        } else {
            rows.pass(position);
        }
        applied = position;
    }

    /**
     * Whether a command has an effect in a replay. The manager's decision concerns the range with
     * the bounds that this replica reported. A child of a split that nobody knows of would lose its
     * majority as soon as it is created, and two ranges that were to be merged stay two, each
     * recovered on its own. A freeze and a thaw change no bounds, but decide which commands took
     * effect; the successor begins unfrozen either way.
     */
    private static boolean isApplied(SubmittedCommand command) {
        boolean bounds =
                command.body() instanceof ReplicaCommand.Split
                        || command.body() instanceof ReplicaCommand.Absorb;
        return !bounds;
    }
}

package io.parterre.server.quarantine;

import io.parterre.file.DurableFiles;
import io.parterre.range.RangeId;
import io.parterre.server.store.DamagedArchive;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Damaged logs, kept as they are until their range goes on without the replica. They are beside the
 * other logs under a name that Ratis does not take for a group. That name is also the mark that
 * outlasts a restart.
 *
 * @param logs folder of the Raft logs, one folder for each group
 * @param aside archive for logs that are given up
 */
public record HeldLogs(Path logs, DamagedArchive aside) {
    private static final String SUFFIX = ".damaged";
    private static final String REASON_FILE = "DAMAGE";

    private Path held(RangeId rangeId) {
        return held(logs, rangeId);
    }

    private static Path held(Path logs, RangeId rangeId) {
        return logs.resolve(rangeId.groupId() + SUFFIX);
    }

    /**
     * Refuses to continue if the range's log is held and nothing may be rebuilt. With an empty log
     * in its place the replica would vote as if it never had, and acknowledge entries that it
     * lacks.
     *
     * @throws IOException if the range's log is held
     */
    public static void requireNone(Path logs, RangeId rangeId) throws IOException {
        Optional<String> reason = reason(logs, rangeId);
        if (reason.isPresent()) {
            throw new IOException(
                    "the log of range "
                            + rangeId
                            + " is damaged and kept aside at "
                            + held(logs, rangeId)
                            + " ("
                            + reason.get()
                            + "); its replica here has to be rebuilt from the other members before"
                            + " it may vote, which server.damage.rebuild forbids. Start with"
                            + " server.damage.rebuild: true, and leave that on until 'parterre"
                            + " ranges' shows no damage; or put this node's whole data folder"
                            + " aside, and it begins as a new one. Nothing was changed");
        }
    }

    /** Returns the reason why the range's log is held; empty if it is not held. */
    public Optional<String> reason(RangeId rangeId) throws IOException {
        return reason(logs, rangeId);
    }

    private static Optional<String> reason(Path logs, RangeId rangeId) throws IOException {
        Path held = held(logs, rangeId);
        if (!Files.isDirectory(held)) {
            return Optional.empty();
        }
        Path reason = held.resolve(REASON_FILE);
        return Optional.of(
                Files.exists(reason)
                        ? Files.readString(reason, StandardCharsets.UTF_8).strip()
                        : "found damaged before");
    }

    /**
     * Takes a log out of use, or notes that there is none where one has to be. Nobody may have the
     * log open.
     */
    public void hold(RangeId rangeId, String reason) throws IOException {
        Path held = held(rangeId);
        Path log = logs.resolve(rangeId.groupId().toString());
        if (Files.isDirectory(log)) {
            archive(rangeId);
            Files.move(log, held, StandardCopyOption.ATOMIC_MOVE);
        }
        Files.createDirectories(held);
        try (FileChannel file =
                FileChannel.open(
                        held.resolve(REASON_FILE),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            file.write(StandardCharsets.UTF_8.encode(reason + "\n"));
            file.force(true);
        }
        DurableFiles.syncFolder(held);
        DurableFiles.syncFolder(logs);
    }

    /** Moves a held log to the archive. */
    public void archive(RangeId rangeId) throws IOException {
        aside.take("range-" + rangeId + "-log", List.of(held(rangeId)));
    }
}

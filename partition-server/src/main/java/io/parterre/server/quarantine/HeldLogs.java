package io.parterre.server.quarantine;

import io.parterre.range.RangeId;
import io.parterre.server.copy.StagedCopy;
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
 * Logs that are damaged, kept as they are until their range lives on without the replica. They lie
 * beside the others under a name that Ratis does not take for a group's; that name is also the mark
 * that lasts through a restart.
 *
 * @param logs Raft logs, one folder a group
 * @param aside takes them once they are given up
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
     * Refuses to go on where the range's log is held and nothing is to be rebuilt: with an empty
     * one in its place the replica would vote as if it never had, and acknowledge what it lacks.
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

    /** Why the range's log is held; empty: it is not. */
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
     * Takes a log out of use, or notes that there is none where one has to be. Nobody has it open.
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
        StagedCopy.sync(held);
        StagedCopy.sync(logs);
    }

    /** Gives a held log up. */
    public void archive(RangeId rangeId) throws IOException {
        aside.take("range-" + rangeId + "-log", List.of(held(rangeId)));
    }
}

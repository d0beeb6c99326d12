package io.parterre.manager.raft;

import io.parterre.file.DurableFiles;
import io.parterre.raftlog.LogFolder;
import io.parterre.raftlog.VoteFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The logs in a manager's data folder, of its present or former group. */
record GroupFolder(MapGroupConfig config) {
    private static final Logger LOG = LoggerFactory.getLogger(GroupFolder.class);

    /** Returns whether the folder holds a log of this group. */
    boolean hasLog(UUID groupId) {
        return Files.isDirectory(MapGroupProperties.logs(config).resolve(groupId.toString()));
    }

    /**
     * Returns the group's log after repair. An unfinished write at its end, or an unfinished vote,
     * was acknowledged to no other member.
     */
    LogFolder mended(UUID groupId) throws IOException {
        Files.createDirectories(config.dataDirectory());
        LogFolder log =
                new LogFolder(
                        MapGroupProperties.logs(config)
                                .resolve(groupId.toString())
                                .resolve("current"));
        if (new VoteFile(log.path()).restore()) {
            LOG.warn("vote on file replaced by a later one that was told");
        }
        log.mend()
                .ifPresent(
                        tail ->
                                LOG.warn(
                                        "unfinished write at the end of the log cut off file={}"
                                                + " offset={} cutBytes={}",
                                        tail.file(),
                                        tail.offset(),
                                        tail.bytes()));
        return log;
    }

    /** Moves the logs aside. Logs that were moved aside earlier are deleted. */
    void forget() throws IOException {
        Path logs = MapGroupProperties.logs(config);
        Path kept = config.dataDirectory().resolve("forgotten");
        if (Files.exists(logs)) {
            DurableFiles.removeFolder(kept);
            Files.move(logs, kept, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}

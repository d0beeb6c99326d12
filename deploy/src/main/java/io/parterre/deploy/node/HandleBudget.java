package io.parterre.deploy.node;

import com.sun.management.UnixOperatingSystemMXBean;
import io.parterre.deploy.config.ParterreConfig;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Division of the handles that the system allows a process (files and sockets, {@code ulimit -n}).
 * A file that storage or Raft cannot open ends the process, whereas a refused connection is
 * retried, so connections get what the others leave. Immutable.
 *
 * @param limit handles that the system allows; empty if unknown, which counts as no limit
 * @param storeFiles files of rows that may be kept open
 * @param connections connections of clients that may be accepted
 */
public record HandleBudget(OptionalLong limit, int storeFiles, int connections) {
    private static final Logger LOG = LoggerFactory.getLogger(HandleBudget.class);

    /** Handles for libraries, logs, listeners, event loops and the runtime itself. */
    private static final int PROCESS_HANDLES = 150;

    private static final int CONNECTIONS_MIN = 16;

    /**
     * Returns the budget of a process.
     *
     * @param limit handles that the system allows; empty if unknown
     * @param stores whether the process keeps ranges: their logs and the connections of their
     *     members get as many handles as the files of rows
     * @param storeFilesMax configured number of files of rows kept open
     * @param connectionsMax configured number of connections
     */
    static HandleBudget of(
            OptionalLong limit, boolean stores, int storeFilesMax, int connectionsMax) {
        if (limit.isEmpty()) {
            return new HandleBudget(limit, storeFilesMax, connectionsMax);
        }
        long shared = Math.max(0, limit.getAsLong() - PROCESS_HANDLES);
        long files = stores ? Math.min(storeFilesMax, shared / 4) : 0;
        long left = shared - 2 * files;
        return new HandleBudget(
                limit,
                (int) files,
                (int) Math.max(CONNECTIONS_MIN, Math.min(connectionsMax, left)));
    }

    /** Returns the budget of this process, from its settings and the system's limit. */
    public static HandleBudget of(ParterreConfig config, boolean stores) {
        return of(
                ofSystem(),
                stores,
                config.server().store().openFilesMax(),
                config.frontEnd().http().connectionsMax());
    }

    /** Logs what the limit allows, which is less than configured if the limit is low. */
    void log() {
        if (limit.isPresent()) {
            LOG.info(
                    "handles limit={} storeFilesMax={} connectionsMax={}",
                    limit.getAsLong(),
                    storeFiles,
                    connections);
        }
    }

    /** Returns the system's limit for this process; empty if unknown. */
    static OptionalLong ofSystem() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean unix
                ? OptionalLong.of(unix.getMaxFileDescriptorCount())
                : OptionalLong.empty();
    }
}

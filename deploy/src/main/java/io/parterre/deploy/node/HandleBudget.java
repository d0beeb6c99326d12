package io.parterre.deploy.node;

import com.sun.management.UnixOperatingSystemMXBean;
import io.parterre.deploy.config.ParterreConfig;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the handles that the system allows a process (files and sockets, {@code ulimit -n}) are
 * shared. A file that storage or Raft cannot open ends the process, and a connection that is not
 * taken is tried again: so connections get what the others leave. Immutable; safe for any thread.
 *
 * @param limit handles that the system allows; empty: not known, and as good as no limit
 * @param storeFiles files of rows that may be kept open
 * @param connections connections of clients that may be taken
 */
public record HandleBudget(OptionalLong limit, int storeFiles, int connections) {
    private static final Logger LOG = LoggerFactory.getLogger(HandleBudget.class);

    /** Libraries, logs, listeners, event loops and the runtime itself. */
    private static final int PROCESS_HANDLES = 150;

    private static final int CONNECTIONS_MIN = 16;

    /**
     * Of a process.
     *
     * @param limit handles that the system allows; empty: not known
     * @param stores whether it keeps ranges: their logs and the connections of their members get as
     *     much as the files of rows
     * @param storeFilesMax files of rows that are to be kept open
     * @param connectionsMax connections that are to be taken
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

    /** Of this process, by its settings and what the system allows. */
    public static HandleBudget of(ParterreConfig config, boolean stores) {
        return of(
                ofSystem(),
                stores,
                config.server().store().openFilesMax(),
                config.frontEnd().http().connectionsMax());
    }

    /** Says what the limit allows: fewer than settings ask for, where it is low. */
    void log() {
        if (limit.isPresent()) {
            LOG.info(
                    "handles limit={} storeFilesMax={} connectionsMax={}",
                    limit.getAsLong(),
                    storeFiles,
                    connections);
        }
    }

    /** What the system allows this process. */
    static OptionalLong ofSystem() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean unix
                ? OptionalLong.of(unix.getMaxFileDescriptorCount())
                : OptionalLong.empty();
    }
}

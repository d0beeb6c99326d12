package io.parterre.deploy.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.deploy.config.HostPort;
import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Service addresses of the managers as last told, one per line, in the data folder. By them a
 * server that was away for long finds the managers even if its settings name none that is left.
 */
record KnownManagers(Path file) {
    private static final Logger LOG = LoggerFactory.getLogger(KnownManagers.class);

    static KnownManagers in(DataFolder folder) {
        return new KnownManagers(folder.resolve("known-managers"));
    }

    /**
     * Reads the last written addresses. A line that is no address is skipped, because the file is
     * only an aid.
     */
    List<String> read() throws IOException {
        return Files.exists(file)
                ? Files.readAllLines(file, UTF_8).stream().filter(KnownManagers::isAddress).toList()
                : List.of();
    }

    private static boolean isAddress(String line) {
        try {
            HostPort.parse(line);
            return true;
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    /** Writes the addresses; if this fails, only the settings are used after a restart. */
    void write(List<String> addresses) {
        try {
            DurableFiles.replace(file, (String.join("\n", addresses) + "\n").getBytes(UTF_8));
        } catch (IOException e) {
            LOG.warn("addresses of the managers not kept file={}", file, e);
        }
    }
}

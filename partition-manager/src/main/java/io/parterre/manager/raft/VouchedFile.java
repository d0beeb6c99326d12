package io.parterre.manager.raft;

import io.parterre.file.DurableFiles;
import io.parterre.range.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Managers that the settings vouched for when a folder was new, one id a line. An operator vouches
 * that a manager holds nothing <em>now</em>. A setting left over from an earlier bootstrap would
 * apply again once a disk is lost, to a manager that by then holds the cluster's map, and a second
 * cluster would be created beside the first. So a vouch that is older than the folder counts for
 * nothing in it, until the settings have been without it at one start. Not thread-safe.
 */
public final class VouchedFile {
    private final Path file;

    /** Creates an instance for the file in a manager's folder. */
    public VouchedFile(Path dataDirectory) {
        this.file = dataDirectory.resolve("vouched-before");
    }

    /** Begins a new folder. The present vouches are older than the folder. */
    public void begin(Set<NodeId> vouched) throws IOException {
        write(vouched);
    }

    /**
     * Returns the vouches of this start that count for nothing.
     *
     * @throws IOException if the file cannot be read or written
     */
    public Set<NodeId> inVain(Set<NodeId> vouched) throws IOException {
        Set<NodeId> before = read();
        Set<NodeId> still = before.stream().filter(vouched::contains).collect(Collectors.toSet());
        if (!still.equals(before)) {
            write(still);
        }
        return Set.copyOf(still);
    }

    private Set<NodeId> read() throws IOException {
        if (!Files.exists(file)) {
            return Set.of();
        }
        return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                .filter(line -> !line.isBlank())
                .map(NodeId::new)
                .collect(Collectors.toSet());
    }

    private void write(Set<NodeId> vouched) throws IOException {
        if (vouched.isEmpty() && !Files.exists(file)) {
            return;
        }
        Files.createDirectories(file.getParent());
        String lines =
                new TreeSet<>(vouched.stream().map(NodeId::value).toList())
                        .stream().map(id -> id + "\n").collect(Collectors.joining());
        DurableFiles.replace(file, lines.getBytes(StandardCharsets.UTF_8));
    }
}

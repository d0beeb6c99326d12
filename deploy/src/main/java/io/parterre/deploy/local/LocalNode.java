package io.parterre.deploy.local;

import io.parterre.deploy.node.RoleName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One process of a cluster on this machine, running or not.
 *
 * @param name unique in the cluster, such as {@code m1}, {@code s1}, {@code f1}
 * @param pid pid of the process last started; 0 if none was
 * @param host where the process listens, and where others reach it
 * @param ports ports by use: {@code admin}, and by role {@code raft}, {@code service}, {@code
 *     table}
 * @param folder contains its settings, its log and, in {@code data}, persistent data
 */
public record LocalNode(
        String name,
        RoleName role,
        long pid,
        String host,
        Map<String, Integer> ports,
        Path folder) {
    private static final int LOG_LINES_SHOWN = 30;

    public LocalNode {
        ports = Map.copyOf(new TreeMap<>(ports));
    }

    LocalNode withPid(long newPid) {
        return new LocalNode(name, role, newPid, host, ports, folder);
    }

    int port(String use) {
        Integer port = ports.get(use);
        if (port == null) {
            throw new IllegalStateException(name + " has no port for " + use);
        }
        return port;
    }

    /** Returns host:port at which others reach the process. */
    String address(String use) {
        return host + ":" + port(use);
    }

    public Path settings() {
        return folder.resolve("parterre.yaml");
    }

    public Path data() {
        return folder.resolve("data");
    }

    /** Returns the file with the output of the process and its predecessors. */
    public Path log() {
        return folder.resolve("log");
    }

    /** Returns the last lines that the process and its predecessors printed. */
    public List<String> logLines(int count) {
        try {
            // The file may contain invalid UTF-8, because a killed process may leave half a
            // character.
            List<String> lines =
                    new String(Files.readAllBytes(log()), StandardCharsets.UTF_8).lines().toList();
            return lines.subList(Math.max(0, lines.size() - count), lines.size());
        } catch (IOException e) {
            return List.of("no log: " + e);
        }
    }

    /** Returns the last lines, for the end of a message about the process. */
    String endOfLog() {
        String lines = String.join("\n", logLines(LOG_LINES_SHOWN));
        return "\n--- end of " + log() + "\n" + lines + "\n---";
    }
}

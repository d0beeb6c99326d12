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
 * @param name unique in the cluster; as {@code m1}, {@code s1}, {@code f1}
 * @param pid of the process last started; 0: none was
 * @param host where it listens, and the others reach it
 * @param ports by what they are for: {@code admin}, and by role {@code raft}, {@code service},
 *     {@code table}
 * @param folder holds its settings, its log and, in {@code data}, what lasts
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

    /** host:port by which others reach it. */
    String address(String use) {
        return host + ":" + port(use);
    }

    public Path settings() {
        return folder.resolve("parterre.yaml");
    }

    public Path data() {
        return folder.resolve("data");
    }

    /** What it and its predecessors printed. */
    public Path log() {
        return folder.resolve("log");
    }

    /** The last lines that it and its predecessors printed. */
    public List<String> logLines(int count) {
        try {
            // Not all of it need be text: a killed process may leave half a character.
            List<String> lines =
                    new String(Files.readAllBytes(log()), StandardCharsets.UTF_8).lines().toList();
            return lines.subList(Math.max(0, lines.size() - count), lines.size());
        } catch (IOException e) {
            return List.of("no log: " + e);
        }
    }

    /** For the end of a message about it. */
    String endOfLog() {
        String lines = String.join("\n", logLines(LOG_LINES_SHOWN));
        return "\n--- end of " + log() + "\n" + lines + "\n---";
    }
}

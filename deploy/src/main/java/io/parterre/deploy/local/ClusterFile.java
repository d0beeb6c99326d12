package io.parterre.deploy.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parterre.deploy.node.RoleName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The contents of {@code cluster.json}, for us and for programs that use the cluster. Stateless.
 */
final class ClusterFile {
    private static final String NAME = "cluster.json";
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ClusterFile() {}

    static boolean exists(Path folder) {
        return Files.exists(folder.resolve(NAME));
    }

    /**
     * Replaces the file atomically.
     *
     * @param jvmOptions options for the next start of any node
     */
    static void write(Path folder, List<LocalNode> nodes, List<String> jvmOptions)
            throws IOException {
        ObjectNode root = JSON.createObjectNode();
        var array = root.putArray("nodes");
        for (LocalNode node : nodes) {
            ObjectNode each = array.addObject();
            each.put("name", node.name())
                    .put("role", node.role().command())
                    .put("pid", node.pid())
                    .put("host", node.host())
                    .put("dataFolder", node.data().toString())
                    .put("log", node.log().toString());
            ObjectNode ports = each.putObject("ports");
            new TreeMap<>(node.ports()).forEach(ports::put);
        }
        var endpoints = root.putArray("tableEndpoints");
        of(nodes, RoleName.FRONT_END).forEach(each -> endpoints.add(tableEndpoint(each)));
        root.put(
                "adminEndpoint",
                of(nodes, RoleName.PARTITION_MANAGER).stream()
                        .map(each -> each.address("service"))
                        .collect(Collectors.joining(",")));
        root.put("account", LocalCluster.ACCOUNT);
        root.put("key", LocalCluster.KEY);
        var options = root.putArray("jvmOptions");
        jvmOptions.forEach(options::add);
        Path unfinished = folder.resolve(NAME + ".tmp");
        Files.writeString(unfinished, JSON.writeValueAsString(root) + "\n");
        Files.move(unfinished, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    static List<LocalNode> of(List<LocalNode> nodes, RoleName role) {
        return nodes.stream().filter(each -> each.role() == role).toList();
    }

    static String tableEndpoint(LocalNode frontEnd) {
        return "http://" + frontEnd.address("table") + "/" + LocalCluster.ACCOUNT;
    }

    static List<LocalNode> nodes(Path folder) throws IOException {
        List<LocalNode> nodes = new ArrayList<>();
        for (JsonNode each : read(folder).path("nodes")) {
            Map<String, Integer> ports = new LinkedHashMap<>();
            each.path("ports")
                    .properties()
                    .forEach(port -> ports.put(port.getKey(), port.getValue().asInt()));
            String name = each.path("name").asText();
            nodes.add(
                    new LocalNode(
                            name,
                            role(each.path("role").asText()),
                            each.path("pid").asLong(),
                            each.path("host").asText(LoopbackPorts.HOST),
                            ports,
                            folder.resolve(name)));
        }
        return nodes;
    }

    static List<String> jvmOptions(Path folder) throws IOException {
        List<String> options = new ArrayList<>();
        read(folder).path("jvmOptions").forEach(each -> options.add(each.asText()));
        return options;
    }

    private static JsonNode read(Path folder) throws IOException {
        return JSON.readTree(folder.resolve(NAME).toFile());
    }

    private static RoleName role(String command) throws IOException {
        return Arrays.stream(RoleName.values())
                .filter(each -> each.command().equals(command))
                .findFirst()
                .orElseThrow(() -> new IOException(NAME + ": role '" + command + "'"));
    }
}

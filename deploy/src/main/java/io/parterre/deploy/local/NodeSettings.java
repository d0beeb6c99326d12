package io.parterre.deploy.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.node.RoleName;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

/** The settings file and the JVM options of each process. Stateless. */
final class NodeSettings {
    private static final YAMLMapper YAML = new YAMLMapper();

    private NodeSettings() {}

    /**
     * Writes the node's file.
     *
     * @param nodes all nodes of the cluster
     * @param replicas replicas of each range
     * @param token token of operators
     */
    static void write(LocalNode node, List<LocalNode> nodes, int replicas, OperatorToken token)
            throws IOException {
        ObjectNode root = YAML.createObjectNode();
        root.put("dataDir", node.data().toString());
        OperatorSettings.managers(nodes, root);
        LocalCertificates.of(node.folder().getParent(), node)
                .ifPresent(files -> LocalCertificates.write(files, root));
        if (node.role() != RoleName.FRONT_END && !token.isNone()) {
            root.put("operatorToken", token.secret());
        }
        switch (node.role()) {
            case PARTITION_MANAGER -> {
                EncryptionKeyFile.write(node.folder().getParent(), root);
                manager(node, replicas, root);
            }
            case PARTITION_SERVER -> server(node, root.putObject("server"));
            case FRONT_END -> frontEnd(node, root.putObject("frontEnd"));
        }
        root.putObject("admin").put("host", node.host()).put("port", node.port("admin"));
        Files.createDirectories(node.folder());
        TokenFile.write(node.settings(), YAML.writeValueAsString(root));
    }

    private static void manager(LocalNode node, int replicas, ObjectNode root) {
        ObjectNode manager = root.putObject("manager");
        manager.put("id", node.name());
        manager.putObject("raft").put("host", node.host());
        manager.putObject("service").put("host", node.host());
        manager.putObject("policy").put("replicas", replicas);
        root.putArray("accounts")
                .addObject()
                .put("name", LocalCluster.ACCOUNT)
                .putArray("keys")
                .add(LocalCluster.KEY);
    }

    /** Writes a server's settings, sized so that several servers fit on a small machine. */
    private static void server(LocalNode node, ObjectNode server) {
        server.put("id", node.name());
        server.putObject("service").put("host", node.host()).put("port", node.port("service"));
        server.putObject("raft")
                .put("host", node.host())
                .put("port", node.port("raft"))
                .put("queuedBytesMax", "16MiB");
        server.putObject("store").put("blockCacheBytes", "16MiB").put("writeBufferBytes", "16MiB");
        server.putObject("rpc").put("bytesInFlightMax", "32MiB");
    }

    private static void frontEnd(LocalNode node, ObjectNode frontEnd) {
        frontEnd.put("name", node.name());
        frontEnd.putObject("http")
                .put("host", node.host())
                .put("port", node.port("table"))
                .put("connectionsMax", 2_000);
    }

    /**
     * Returns options that keep the process small: eight processes fit in 8 GB beside other
     * programs, and start in seconds on two cores. The second compiler would cost more than it
     * gains within minutes.
     */
    static List<String> jvmOptions(RoleName role) {
        List<String> memory =
                switch (role) {
                    case PARTITION_MANAGER -> List.of("-Xmx96m", "-XX:MaxDirectMemorySize=128m");
                    // Each replica's log takes direct memory.
                    case PARTITION_SERVER -> List.of("-Xmx192m", "-XX:MaxDirectMemorySize=1g");
                    case FRONT_END -> List.of("-Xmx160m", "-XX:MaxDirectMemorySize=128m");
                };
        return Stream.concat(
                        memory.stream(),
                        Stream.of("-Xms32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"))
                .toList();
    }
}

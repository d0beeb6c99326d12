package io.parterre.deploy.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.node.RoleName;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * What nodes of a test wait for by their settings: reports, and the first election, for which
 * nobody has to be given the time to start. What tells a slow node from a lost one stays.
 */
final class ShortTimers {
    private static final String REPORTS = "100ms";
    private static final String FIRST_ELECTION_MIN = "200ms";
    private static final String FIRST_ELECTION_MAX = "600ms";

    private ShortTimers() {}

    static List<FlagSetting> of(RoleName role) {
        return role == RoleName.PARTITION_SERVER
                ? List.of(
                        new FlagSetting("--set", "server.heartbeatInterval", REPORTS),
                        new FlagSetting(
                                "--set", "server.raft.firstElectionMin", FIRST_ELECTION_MIN),
                        new FlagSetting(
                                "--set", "server.raft.firstElectionMax", FIRST_ELECTION_MAX))
                : List.of();
    }

    /** In the files that the processes of these nodes read. */
    static void write(List<LocalNode> nodes) throws IOException {
        YAMLMapper yaml = new YAMLMapper();
        for (LocalNode node : nodes) {
            ObjectNode root = (ObjectNode) yaml.readTree(Files.readString(node.settings()));
            if (root.has("tls")) {
                root.withObject("/tls").put("refreshInterval", "100ms");
                Files.writeString(node.settings(), yaml.writeValueAsString(root));
            }
        }
        for (LocalNode node : ClusterFile.of(nodes, RoleName.PARTITION_SERVER)) {
            ObjectNode root = (ObjectNode) yaml.readTree(Files.readString(node.settings()));
            root.withObject("/server").put("heartbeatInterval", REPORTS);
            root.withObject("/server/raft")
                    .put("firstElectionMin", FIRST_ELECTION_MIN)
                    .put("firstElectionMax", FIRST_ELECTION_MAX);
            Files.writeString(node.settings(), yaml.writeValueAsString(root));
        }
    }
}

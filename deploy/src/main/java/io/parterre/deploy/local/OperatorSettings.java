package io.parterre.deploy.local;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.parterre.deploy.node.RoleName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Settings of operators' commands for a cluster on this machine. Stateless. */
final class OperatorSettings {
    private static final String NAME = "operator.yaml";
    private static final YAMLMapper YAML = new YAMLMapper();

    private OperatorSettings() {}

    static Path in(Path cluster) {
        return cluster.resolve(NAME);
    }

    /** Writes the settings, without the operators' token, because few commands need it. */
    static void write(Path cluster, List<LocalNode> nodes) throws IOException {
        ObjectNode root = YAML.createObjectNode();
        managers(nodes, root);
        LocalCertificates.ofOperator(cluster)
                .ifPresent(files -> LocalCertificates.write(files, root));
        Files.writeString(in(cluster), YAML.writeValueAsString(root));
    }

    /** Adds the managers' addresses. */
    static void managers(List<LocalNode> nodes, ObjectNode settings) {
        ArrayNode managers = settings.putObject("cluster").putArray("managers");
        for (LocalNode each : ClusterFile.of(nodes, RoleName.PARTITION_MANAGER)) {
            managers.addObject()
                    .put("id", each.name())
                    .put("raft", each.address("raft"))
                    .put("service", each.address("service"));
        }
    }
}

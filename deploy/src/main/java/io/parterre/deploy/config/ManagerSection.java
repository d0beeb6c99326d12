package io.parterre.deploy.config;

import io.parterre.manager.AccountConfig;
import io.parterre.manager.PartitionManagerConfig;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.range.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Keys of the partition manager, see {@link PartitionManagerConfig}. */
public record ManagerSection(
        String raftHost,
        int raftPort,
        int initialReplicas,
        Duration heartbeatTimeout,
        Duration proposalTimeout,
        int snapshotEntries) {
    private static final NodeId NODE_ID = new NodeId("manager");

    static final ManagerSection DEFAULT =
            new ManagerSection(
                    "127.0.0.1", 0, 1, Duration.ofSeconds(5), Duration.ofSeconds(5), 10_000);

    public ManagerSection {
        if (raftPort < 0 || raftPort > 65_535) {
            throw new IllegalArgumentException("raftPort: " + raftPort + " (expected: 0..65535)");
        }
        // What the other values may be is known to the role's own record.
        new PartitionManagerConfig(
                NODE_ID,
                List.of(new ManagerMember(NODE_ID, raftHost + ":" + raftPort, "")),
                Path.of(""),
                List.of(),
                initialReplicas,
                heartbeatTimeout,
                proposalTimeout,
                snapshotEntries);
    }

    /** What the only manager of a cluster is told. */
    public PartitionManagerConfig single(
            Path dataFolder, String serviceAddress, List<AccountConfig> accounts) {
        return new PartitionManagerConfig(
                NODE_ID,
                List.of(new ManagerMember(NODE_ID, raftHost + ":" + raftPort, serviceAddress)),
                dataFolder,
                accounts,
                initialReplicas,
                heartbeatTimeout,
                proposalTimeout,
                snapshotEntries);
    }
}

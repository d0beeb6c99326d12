package io.parterre.deploy.config;

import io.parterre.manager.AccountConfig;
import io.parterre.manager.ManagerTimings;
import io.parterre.manager.PartitionManagerConfig;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.manager.secret.KeyRing;
import io.parterre.range.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keys of the partition manager, see {@link PartitionManagerConfig}.
 *
 * @param id id of this manager in the cluster; empty in embedded mode
 * @param bootstrapWithout ids of managers that need not answer at the bootstrap of the managers
 */
public record ManagerSection(
        String id,
        List<String> bootstrapWithout,
        ListenSection raft,
        ListenSection service,
        Duration heartbeatTimeout,
        Duration proposalTimeout,
        int snapshotEntries,
        Policy policy) {
    private static final NodeId EMBEDDED_ID = new NodeId("manager");

    static final ManagerSection DEFAULT =
            new ManagerSection(
                    "",
                    List.of(),
                    ListenSection.DEFAULT,
                    ListenSection.DEFAULT,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    10_000,
                    Policy.DEFAULT);

    public ManagerSection {
        bootstrapWithout = List.copyOf(bootstrapWithout);
        bootstrapWithout.forEach(NodeId::new);
        if (!id.isEmpty()) {
            new NodeId(id);
        }
        // The role's own record checks the other values.
        new PartitionManagerConfig(
                EMBEDDED_ID,
                List.of(new ManagerMember(EMBEDDED_ID, "any:0", "")),
                Path.of(""),
                List.of(),
                policy.replicas(),
                heartbeatTimeout,
                proposalTimeout,
                snapshotEntries,
                policy,
                Optional.empty(),
                Set.of(),
                ManagerTimings.DEFAULT,
                KeyRing.NONE);
    }

    /**
     * Returns the configuration of the only manager of a cluster with a single server.
     *
     * @param keyRing keys that encrypt account keys in the folder
     */
    public PartitionManagerConfig single(
            Path dataFolder, String serviceAddress, List<AccountConfig> accounts, KeyRing keyRing) {
        String raftAddress = raft.host() + ":" + raft.port();
        return role(
                EMBEDDED_ID,
                List.of(new ManagerMember(EMBEDDED_ID, raftAddress, serviceAddress)),
                raftAddress,
                dataFolder,
                accounts,
                policy.withReplicas(1),
                Set.of(),
                keyRing);
    }

    /**
     * Returns the configuration of one of the cluster's managers.
     *
     * @param cluster all managers, including this one
     * @param keyRing keys that encrypt account keys in the folder
     */
    public PartitionManagerConfig member(
            ManagerList cluster, Path dataFolder, List<AccountConfig> accounts, KeyRing keyRing) {
        return role(
                new NodeId(id),
                cluster.managers().stream()
                        .map(
                                each ->
                                        new ManagerMember(
                                                new NodeId(each.id()),
                                                each.raft().toString(),
                                                each.service().toString()))
                        .toList(),
                raftListens(cluster).toString(),
                dataFolder,
                accounts,
                policy,
                bootstrapWithout.stream().map(NodeId::new).collect(Collectors.toSet()),
                keyRing);
    }

    private PartitionManagerConfig role(
            NodeId nodeId,
            List<ManagerMember> members,
            String raftListenAddress,
            Path dataFolder,
            List<AccountConfig> accounts,
            Policy effective,
            Set<NodeId> unasked,
            KeyRing keyRing) {
        return new PartitionManagerConfig(
                nodeId,
                members,
                dataFolder,
                accounts,
                effective.replicas(),
                heartbeatTimeout,
                proposalTimeout,
                snapshotEntries,
                effective,
                Optional.of(raftListenAddress),
                unasked,
                ManagerTimings.DEFAULT,
                keyRing);
    }

    /**
     * Returns where the Raft server listens: on the port that the others know, unless another is
     * set.
     */
    public HostPort raftListens(ManagerList cluster) {
        return new HostPort(
                raft.host(),
                raft.port() != 0 ? raft.port() : cluster.find(id).orElseThrow().raft().port());
    }

    /**
     * Returns where the service listens: on the port that the others know, unless another is set.
     */
    public HostPort serviceListens(ManagerList cluster) {
        return new HostPort(
                service.host(),
                service.port() != 0
                        ? service.port()
                        : cluster.find(id).orElseThrow().service().port());
    }
}

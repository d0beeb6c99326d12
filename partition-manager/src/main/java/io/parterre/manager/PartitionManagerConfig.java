package io.parterre.manager;

import io.parterre.check.Require;
import io.parterre.manager.lead.LeaderConfig;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.manager.raft.MapGroupConfig;
import io.parterre.manager.secret.KeyRing;
import io.parterre.range.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration of a partition manager. Immutable.
 *
 * @param nodeId which of the members this manager is
 * @param members all partition managers, this one included
 * @param dataDirectory holds all its data; not shared with any other process
 * @param accounts accounts that may be used; others are suspended. If empty, all stay as they are
 * @param initialReplicas members of a new cluster's first range; the cluster is created once this
 *     many nodes have reported
 * @param heartbeatTimeout a node silent for longer counts as gone
 * @param proposalTimeout after which a change without an answer is in doubt and retried
 * @param snapshotEntries log entries between two snapshots of the map
 * @param policy what the planner aims at; a cluster may be created on fewer nodes than its ranges
 *     are to have replicas
 * @param raftListenAddress host:port on which its Raft server listens, if different from the
 *     address at which the others reach it
 * @param bootstrapWithout members that an operator vouches for: they hold nothing, and the
 *     bootstrap needs no answer from them
 * @param timings how fast it notices changes of the others
 * @param keyRing encryption keys for accounts' keys in its data directory
 */
public record PartitionManagerConfig(
        NodeId nodeId,
        List<ManagerMember> members,
        Path dataDirectory,
        List<AccountConfig> accounts,
        int initialReplicas,
        Duration heartbeatTimeout,
        Duration proposalTimeout,
        int snapshotEntries,
        Policy policy,
        Optional<String> raftListenAddress,
        Set<NodeId> bootstrapWithout,
        ManagerTimings timings,
        KeyRing keyRing) {
    private static final int CALLS_MAX = 4_096;
    private static final int WATCHERS_MAX = 1_024;
    private static final int ORDERS_MAX = 1_000;

    public PartitionManagerConfig {
        members = List.copyOf(members);
        accounts = List.copyOf(accounts);
        bootstrapWithout = Set.copyOf(bootstrapWithout);
        if (initialReplicas < 1 || initialReplicas > 7) {
            throw new IllegalArgumentException(
                    "initialReplicas: " + initialReplicas + " (expected: 1..7)");
        }
        if (initialReplicas > policy.replicas()) {
            throw new IllegalArgumentException(
                    "initialReplicas: "
                            + initialReplicas
                            + " (expected: <= replicas, "
                            + policy.replicas()
                            + ")");
        }
        Require.positive("heartbeatTimeout", heartbeatTimeout);
        Require.positive("proposalTimeout", proposalTimeout);
        if (accounts.stream().map(AccountConfig::name).distinct().count() != accounts.size()) {
            throw new IllegalArgumentException("accounts: a name twice (expected: once)");
        }
        group(nodeId, members, dataDirectory, snapshotEntries, raftListenAddress, timings);
    }

    ManagerMember self() {
        return group().self();
    }

    MapGroupConfig group() {
        return group(nodeId, members, dataDirectory, snapshotEntries, raftListenAddress, timings);
    }

    private static MapGroupConfig group(
            NodeId nodeId,
            List<ManagerMember> members,
            Path dataDirectory,
            int snapshotEntries,
            Optional<String> raftListenAddress,
            ManagerTimings timings) {
        return new MapGroupConfig(
                nodeId,
                members,
                dataDirectory,
                snapshotEntries,
                raftListenAddress,
                timings.electionTimeoutMin());
    }

    LeaderConfig lead() {
        return new LeaderConfig(
                accounts.stream().map(AccountConfig::command).toList(),
                initialReplicas,
                heartbeatTimeout,
                policy,
                timings.tick(),
                CALLS_MAX,
                WATCHERS_MAX,
                ORDERS_MAX);
    }
}

package io.parterre.manager;

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
 * What a partition manager is told when it starts.
 *
 * @param nodeId which of the members this one is
 * @param members all partition managers, this one among them
 * @param dataDirectory holds everything it keeps; belongs to this manager alone
 * @param accounts accounts that may be used; others are suspended. Empty: all stay as they are
 * @param initialReplicas members of a new cluster's first range; it is founded once so many nodes
 *     have reported
 * @param heartbeatTimeout a node silent for longer counts as gone
 * @param proposalTimeout after which a change without an answer is in doubt and tried again
 * @param snapshotEntries log entries between two snapshots of the map
 * @param policy what the planner aims at; a cluster may be founded on fewer nodes than its ranges
 *     shall have replicas
 * @param raftListenAddress host:port its Raft server listens on, if that is not what the others
 *     reach it by
 * @param bootstrapWithout members that an operator vouches for: they hold nothing, and the managers
 *     may be founded without an answer of theirs
 * @param timings how soon it sees what happens to the others
 * @param keyRing what keys of accounts are encrypted with in its data directory
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
        requirePositive("heartbeatTimeout", heartbeatTimeout);
        requirePositive("proposalTimeout", proposalTimeout);
        if (accounts.stream().map(AccountConfig::name).distinct().count() != accounts.size()) {
            throw new IllegalArgumentException("accounts: a name twice (expected: once)");
        }
        group(nodeId, members, dataDirectory, snapshotEntries, raftListenAddress, timings);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }

    ManagerMember self() {
        return members.stream()
                .filter(member -> member.nodeId().equals(nodeId))
                .findFirst()
                .orElseThrow();
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

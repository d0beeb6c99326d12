package io.parterre.manager;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.manager.map.AccountKey;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.manager.secret.KeyRing;
import io.parterre.range.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Configurations of managers under test. */
final class TestConfig {
    /** Elections and looks without the patience that a network needs. */
    static final ManagerTimings TIMINGS =
            new ManagerTimings(Duration.ofMillis(300), Duration.ofMillis(100));

    private TestConfig() {}

    /** The account "account1" with this key. */
    static List<AccountConfig> account(String key) {
        return account("account1", key);
    }

    static List<AccountConfig> account(String name, String key) {
        return List.of(new AccountConfig(name, List.of(AccountKey.of(key.getBytes(UTF_8)))));
    }

    /** The only manager of a cluster that is founded on so many nodes. */
    static PartitionManagerConfig single(
            Path data, List<AccountConfig> accounts, int initialReplicas) {
        return single(
                data,
                accounts,
                initialReplicas,
                10_000,
                Policy.DEFAULT.withReplicas(initialReplicas | 1));
    }

    static PartitionManagerConfig single(
            Path data,
            List<AccountConfig> accounts,
            int initialReplicas,
            int snapshotEntries,
            Policy policy) {
        ManagerMember self = new ManagerMember(new NodeId("manager"), "127.0.0.1:0", "manager:1");
        return of(
                self,
                List.of(self),
                data,
                accounts,
                initialReplicas,
                snapshotEntries,
                policy,
                Set.of());
    }

    /** The same with keys to encrypt with. */
    static PartitionManagerConfig with(PartitionManagerConfig config, KeyRing ring) {
        return new PartitionManagerConfig(
                config.nodeId(),
                config.members(),
                config.dataDirectory(),
                config.accounts(),
                config.initialReplicas(),
                config.heartbeatTimeout(),
                config.proposalTimeout(),
                config.snapshotEntries(),
                config.policy(),
                config.raftListenAddress(),
                config.bootstrapWithout(),
                config.timings(),
                ring);
    }

    /** One of several, which has its folder beside those of the others. */
    static PartitionManagerConfig member(
            ManagerMember self, List<ManagerMember> all, Path folder, Policy policy) {
        Path data = folder.resolve(self.nodeId().value());
        return of(self, all, data, List.of(), policy.replicas(), 1_000, policy, Set.of());
    }

    /**
     * One of several.
     *
     * @param snapshotEntries log entries between two snapshots
     * @param without members that need not answer when the managers are founded
     */
    static PartitionManagerConfig of(
            ManagerMember self,
            List<ManagerMember> all,
            Path data,
            List<AccountConfig> accounts,
            int initialReplicas,
            int snapshotEntries,
            Policy policy,
            Set<NodeId> without) {
        return new PartitionManagerConfig(
                self.nodeId(),
                all,
                data,
                accounts,
                initialReplicas,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                snapshotEntries,
                policy,
                Optional.empty(),
                without,
                TIMINGS,
                KeyRing.NONE);
    }
}

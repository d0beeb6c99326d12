package io.parterre.manager.map;

import io.parterre.range.NodeId;
import java.util.List;

/** A change of the cluster's map: proposed by the leader, applied in log order by every manager. */
public sealed interface MapCommand {
    <R> R match(Cases<R> cases);

    /** One answer for each kind of command; a new kind fails to compile wherever it is missed. */
    interface Cases<R> {
        R found(FoundCluster found);

        R register(RegisterNode register);

        R ensure(EnsureAccount ensure);

        R lease(LeaseObjectIds lease);
    }

    /**
     * Gives the cluster its id and one range over every key. Whoever comes second changes nothing
     * and learns the id that won.
     *
     * @param members registered nodes that shall hold the first range
     */
    record FoundCluster(ClusterId clusterId, List<NodeId> members) implements MapCommand {
        public FoundCluster {
            members = List.copyOf(members);
            if (members.isEmpty() || members.stream().distinct().count() != members.size()) {
                throw new IllegalArgumentException(
                        "members: " + members + " (expected: at least one, none twice)");
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.found(this);
        }
    }

    /** Makes a node known, or changes its addresses, zone or version. */
    record RegisterNode(ClusterNode node) implements MapCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.register(this);
        }
    }

    /**
     * Sees to it that the account exists with exactly these keys; its id never changes.
     *
     * @param suspended whether nobody may use it; what it owns stays
     */
    record EnsureAccount(AccountName name, List<AccountKey> keys, boolean suspended)
            implements MapCommand {
        public EnsureAccount {
            keys = ClusterAccount.checkedKeys(keys);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.ensure(this);
        }

        /** Whether the account is as the command would leave it. */
        public boolean isMetBy(ClusterAccount account) {
            return account.keys().equals(keys) && account.suspended() == suspended;
        }
    }

    /** Takes a block of numbers for new tables, queues and containers. */
    record LeaseObjectIds(int count) implements MapCommand {
        public static final int COUNT_MAX = 1_000_000;

        public LeaseObjectIds {
            if (count <= 0 || count > COUNT_MAX) {
                throw new IllegalArgumentException(
                        "count: " + count + " (expected: 1.." + COUNT_MAX + ")");
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.lease(this);
        }
    }
}

package io.parterre.manager.raft;

import io.parterre.check.Require;
import io.parterre.range.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Place and members of the managers' Raft group.
 *
 * @param nodeId which of the members this manager is
 * @param members all managers, this one included
 * @param dataDirectory for the log and the snapshots; created if missing
 * @param snapshotEntries log entries between two snapshots
 * @param listenAddress host:port on which its Raft server listens, if different from the address at
 *     which the others reach it
 * @param electionTimeoutMin a manager that hears no leader for this long may become a candidate
 */
public record MapGroupConfig(
        NodeId nodeId,
        List<ManagerMember> members,
        Path dataDirectory,
        int snapshotEntries,
        Optional<String> listenAddress,
        Duration electionTimeoutMin) {
    /** Several heartbeats, of which two are sent within the shortest election timeout. */
    private static final int HEALTHY_TIMEOUTS = 3;

    public MapGroupConfig {
        members = List.copyOf(members);
        Require.positive("snapshotEntries", snapshotEntries);
        NodeId self = nodeId;
        if (members.stream().filter(member -> member.nodeId().equals(self)).count() != 1) {
            throw new IllegalArgumentException(
                    "members: " + members + " (expected: " + nodeId + " once)");
        }
    }

    /**
     * Returns the time without a leader after which the manager becomes a candidate at the latest.
     */
    Duration electionTimeoutMax() {
        return electionTimeoutMin.multipliedBy(2);
    }

    /** Returns the silence below which a member counts as healthy. */
    Duration healthySilenceMax() {
        return electionTimeoutMin.multipliedBy(HEALTHY_TIMEOUTS);
    }

    /** Returns the member that this manager is. */
    public ManagerMember self() {
        return members.stream()
                .filter(member -> member.nodeId().equals(nodeId))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the address on which the Raft server listens. */
    HostAndPort listens() {
        return listenAddress.map(HostAndPort::parse).orElseGet(() -> self().raft());
    }
}

package io.parterre.manager.raft;

import io.parterre.range.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where and with whom the managers' Raft group runs.
 *
 * @param nodeId which of the members this one is
 * @param members all managers, this one among them
 * @param dataDirectory for the log and the snapshots; made if missing
 * @param snapshotEntries a snapshot is taken after so many entries
 * @param listenAddress host:port its Raft server listens on, if not what the others reach it by
 * @param electionTimeoutMin a manager without news of the leader for so long may stand for election
 */
public record MapGroupConfig(
        NodeId nodeId,
        List<ManagerMember> members,
        Path dataDirectory,
        int snapshotEntries,
        Optional<String> listenAddress,
        Duration electionTimeoutMin) {
    /** Some heartbeats, of which two go out in the shortest election timeout. */
    private static final int HEALTHY_TIMEOUTS = 3;

    public MapGroupConfig {
        members = List.copyOf(members);
        if (snapshotEntries <= 0) {
            throw new IllegalArgumentException(
                    "snapshotEntries: " + snapshotEntries + " (expected: positive)");
        }
        NodeId self = nodeId;
        if (members.stream().filter(member -> member.nodeId().equals(self)).count() != 1) {
            throw new IllegalArgumentException(
                    "members: " + members + " (expected: " + nodeId + " once)");
        }
    }

    /** At the latest after so long it stands for election. */
    Duration electionTimeoutMax() {
        return electionTimeoutMin.multipliedBy(2);
    }

    /** A member that has been silent for less counts as there. */
    Duration healthySilenceMax() {
        return electionTimeoutMin.multipliedBy(HEALTHY_TIMEOUTS);
    }

    ManagerMember self() {
        return members.stream()
                .filter(member -> member.nodeId().equals(nodeId))
                .findFirst()
                .orElseThrow();
    }

    /** Where its Raft server listens. */
    HostAndPort listens() {
        return listenAddress.map(HostAndPort::parse).orElseGet(() -> self().raft());
    }
}

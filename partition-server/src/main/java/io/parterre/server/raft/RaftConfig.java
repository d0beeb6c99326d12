package io.parterre.server.raft;

import io.parterre.server.change.MemberWaits;
import io.parterre.server.lead.LeadTimes;
import java.time.Duration;

/**
 * Raft settings of the node and limits of what is proposed. Sizes are in bytes.
 *
 * @param host address the Raft server listens on and is reached by
 * @param port its port; 0: any free one
 * @param electionTimeoutMin a follower without news for this long may stand for election
 * @param electionTimeoutMax and at the latest after this long
 * @param lease followers elect nobody else for this long after they heard their leader, which reads
 *     without asking them for a little less
 * @param firstElectionMin the same of a member that has just started: longer, so that nobody stands
 *     before the others are there
 * @param firstElectionMax and at the latest after this long
 * @param managersAwaited a member that has just started waits so long for a manager's word on its
 *     range, before calls of all other members permit its vote: managers that start with it elect
 *     first
 * @param packBytesMax commands packed into one log entry, unless a single one is larger
 * @param entriesInFlightMax entries of one range proposed and not yet applied
 * @param queuedCommandsMax commands of one range accepted and not yet answered
 * @param queuedBytesMax the same in bytes
 * @param preservedLogBytes log of one range kept, though its effect is on disk, for members that
 *     are a little behind
 * @param memberWaits where members change
 */
public record RaftConfig(
        String host,
        int port,
        Duration electionTimeoutMin,
        Duration electionTimeoutMax,
        Duration lease,
        Duration firstElectionMin,
        Duration firstElectionMax,
        Duration managersAwaited,
        int packBytesMax,
        int entriesInFlightMax,
        int queuedCommandsMax,
        long queuedBytesMax,
        long preservedLogBytes,
        MemberWaits memberWaits) {
    private static final int MIB = 1 << 20;
    private static final Duration LEASE_MIN = Duration.ofMillis(30);

    public static final RaftConfig DEFAULT =
            new RaftConfig(
                    "127.0.0.1",
                    0,
                    Duration.ofMillis(800),
                    Duration.ofMillis(1_200),
                    MIB,
                    2,
                    4096,
                    32L * MIB,
                    32L * MIB);

    public RaftConfig {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0..65535)");
        }
        requireTimeout("electionTimeout", electionTimeoutMin, electionTimeoutMax);
        requireTimeout("firstElection", firstElectionMin, firstElectionMax);
        if (managersAwaited.isNegative()) {
            throw new IllegalArgumentException(
                    "managersAwaited: " + managersAwaited + " (expected: not negative)");
        }
        requireLease(lease, electionTimeoutMin);
        requirePositive("packBytesMax", packBytesMax);
        requirePositive("entriesInFlightMax", entriesInFlightMax);
        requirePositive("queuedCommandsMax", queuedCommandsMax);
        requirePositive("queuedBytesMax", queuedBytesMax);
        requirePositive("preservedLogBytes", preservedLogBytes);
    }

    /** As the default is to the default. */
    private static Duration leaseOf(Duration electionTimeoutMin) {
        return electionTimeoutMin.dividedBy(4);
    }

    private static Duration managersAwaited(Duration electionTimeoutMax) {
        return electionTimeoutMax.multipliedBy(9);
    }

    /** With the default waits, also for the first election. */
    public RaftConfig(
            String host,
            int port,
            Duration electionTimeoutMin,
            Duration electionTimeoutMax,
            int packBytesMax,
            int entriesInFlightMax,
            int queuedCommandsMax,
            long queuedBytesMax,
            long preservedLogBytes) {
        this(
                host,
                port,
                electionTimeoutMin,
                electionTimeoutMax,
                leaseOf(electionTimeoutMin),
                electionTimeoutMin.multipliedBy(2),
                electionTimeoutMax.multipliedBy(3),
                managersAwaited(electionTimeoutMax),
                packBytesMax,
                entriesInFlightMax,
                queuedCommandsMax,
                queuedBytesMax,
                preservedLogBytes,
                MemberWaits.DEFAULT);
    }

    private static void requireTimeout(String name, Duration min, Duration max) {
        if (min.toMillis() < 100 || max.compareTo(min) < 0) {
            throw new IllegalArgumentException(
                    name + ": " + min + ".." + max + " (expected: >= PT0.1S and min <= max)");
        }
    }

    /** Members that did not hear what a leader asks for rely on the upper bound. */
    private static void requireLease(Duration lease, Duration electionTimeoutMin) {
        Duration max = RaftSettings.leaseMax(electionTimeoutMin);
        if (lease.compareTo(LEASE_MIN) < 0 || lease.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    "lease: "
                            + lease
                            + " (expected: "
                            + LEASE_MIN
                            + ".."
                            + max
                            + ", which is 0.8 of electionTimeoutMin)");
        }
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }

    /** How long changes of led ranges may wait. */
    public LeadTimes leadTimes() {
        return new LeadTimes(memberWaits, electionTimeoutMin, electionTimeoutMax);
    }

    /** The same settings on another address. */
    public RaftConfig withAddress(String newHost, int newPort) {
        return new RaftConfig(
                newHost,
                newPort,
                electionTimeoutMin,
                electionTimeoutMax,
                lease,
                firstElectionMin,
                firstElectionMax,
                managersAwaited,
                packBytesMax,
                entriesInFlightMax,
                queuedCommandsMax,
                queuedBytesMax,
                preservedLogBytes,
                memberWaits);
    }

    /**
     * The same settings with other timeouts; lease and waits after a start follow from them again.
     */
    public RaftConfig withElectionTimeout(Duration newMin, Duration newMax) {
        return new RaftConfig(
                host,
                port,
                newMin,
                newMax,
                leaseOf(newMin),
                newMin.multipliedBy(2),
                newMax.multipliedBy(3),
                managersAwaited(newMax),
                packBytesMax,
                entriesInFlightMax,
                queuedCommandsMax,
                queuedBytesMax,
                preservedLogBytes,
                memberWaits);
    }

    public RaftConfig withFirstElection(Duration newMin, Duration newMax) {
        return new RaftConfig(
                host,
                port,
                electionTimeoutMin,
                electionTimeoutMax,
                lease,
                newMin,
                newMax,
                managersAwaited,
                packBytesMax,
                entriesInFlightMax,
                queuedCommandsMax,
                queuedBytesMax,
                preservedLogBytes,
                memberWaits);
    }

    public RaftConfig withManagersAwaited(Duration value) {
        return new RaftConfig(
                host,
                port,
                electionTimeoutMin,
                electionTimeoutMax,
                lease,
                firstElectionMin,
                firstElectionMax,
                value,
                packBytesMax,
                entriesInFlightMax,
                queuedCommandsMax,
                queuedBytesMax,
                preservedLogBytes,
                memberWaits);
    }

    public RaftConfig withLease(Duration value) {
        return new RaftConfig(
                host,
                port,
                electionTimeoutMin,
                electionTimeoutMax,
                value,
                firstElectionMin,
                firstElectionMax,
                managersAwaited,
                packBytesMax,
                entriesInFlightMax,
                queuedCommandsMax,
                queuedBytesMax,
                preservedLogBytes,
                memberWaits);
    }

    public RaftConfig withPreservedLogBytes(long value) {
        return new RaftConfig(
                host,
                port,
                electionTimeoutMin,
                electionTimeoutMax,
                lease,
                firstElectionMin,
                firstElectionMax,
                managersAwaited,
                packBytesMax,
                entriesInFlightMax,
                queuedCommandsMax,
                queuedBytesMax,
                value,
                memberWaits);
    }

    public RaftConfig withMemberWaits(MemberWaits value) {
        return new RaftConfig(
                host,
                port,
                electionTimeoutMin,
                electionTimeoutMax,
                lease,
                firstElectionMin,
                firstElectionMax,
                managersAwaited,
                packBytesMax,
                entriesInFlightMax,
                queuedCommandsMax,
                queuedBytesMax,
                preservedLogBytes,
                value);
    }
}

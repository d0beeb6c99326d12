package io.parterre.server.raft;

import io.parterre.server.change.MemberWaits;
import io.parterre.server.lead.LeadTimes;
import java.time.Duration;

/**
 * Raft settings of the node and limits on proposals. Sizes are in bytes.
 *
 * @param host address on which the Raft server listens and at which it is reached
 * @param port port of the Raft server; 0 for any free one
 * @param electionTimeoutMin shortest time without a message from the leader after which a follower
 *     stands for election
 * @param electionTimeoutMax longest such time
 * @param lease time after a message from the leader for which followers elect nobody else; the
 *     leader reads without asking them for a little less
 * @param firstElectionMin shortest election timeout of a member that has just started: longer, so
 *     that nobody stands before the others are there
 * @param firstElectionMax longest election timeout of a member that has just started
 * @param managersAwaited time for which a member that has just started waits for a manager's answer
 *     about its range, before calls of all other members permit its vote: managers that start with
 *     the member elect first
 * @param packBytesMax largest sum of commands packed into one log entry, unless a single command is
 *     larger
 * @param entriesInFlightMax largest number of entries of one range proposed and not yet applied
 * @param queuedCommandsMax largest number of commands of one range accepted and not yet answered
 * @param queuedBytesMax largest sum of these commands in bytes
 * @param preservedLogBytes log of one range that is kept although its effect is on disk, for
 *     members that are a little behind
 * @param memberWaits how long a leader waits when members change
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

    /** Creates settings with the default lease and waits, also for the first election. */
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
                electionTimeoutMin.dividedBy(4),
                electionTimeoutMin.multipliedBy(2),
                electionTimeoutMax.multipliedBy(3),
                electionTimeoutMax.multipliedBy(9),
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

    /**
     * The upper bound matters because members that did not hear which lease a leader asks for rely
     * on it.
     */
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

    /** Returns how long changes of led ranges may wait. */
    public LeadTimes leadTimes() {
        return new LeadTimes(memberWaits, electionTimeoutMin, electionTimeoutMax);
    }
}

package io.parterre.manager.plan.policy;

import io.parterre.check.Require;
import java.time.Duration;

/**
 * What the planners aim at, and their bounds. Immutable.
 *
 * @param replicas members that a range should have: 1, 3, 5 or 7
 * @param suspectAfter silence after which a node gets nothing new
 * @param deadAfter silence after which a node's replicas are rebuilt elsewhere
 * @param movesMax moves at once in the whole cluster
 * @param movesPerNodeMax moves at once that bring a node a replica or take one from it
 * @param leadTransfersMax leadership transfers at once
 * @param balanceBand tolerated difference between two nodes in replicas, or in led ranges; at least
 *     1, or balancing would never end
 * @param moveGiveUpAfter time after which a move whose new replica has not joined is given up
 * @param replicasPerNodeMax a node that holds this many replicas gets no more, because each costs
 *     memory, a log and a heartbeat
 * @param split when ranges are split
 * @param merge when neighbouring ranges are merged
 * @param copysets which nodes may share ranges
 * @param quotas limits of accounts and tables
 * @param disk when a disk counts as full
 */
public record Policy(
        int replicas,
        Duration suspectAfter,
        Duration deadAfter,
        int movesMax,
        int movesPerNodeMax,
        int leadTransfersMax,
        int balanceBand,
        Duration moveGiveUpAfter,
        int replicasPerNodeMax,
        SplitPolicy split,
        MergePolicy merge,
        CopysetPolicy copysets,
        QuotaPolicy quotas,
        DiskPolicy disk) {
    /** Three replicas, and values that suit nodes of about ten ranges each. */
    public static final Policy DEFAULT =
            new Policy(
                    3,
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(2),
                    16,
                    2,
                    16,
                    2,
                    Duration.ofHours(1),
                    100,
                    SplitPolicy.DEFAULT,
                    MergePolicy.DEFAULT,
                    CopysetPolicy.DEFAULT,
                    QuotaPolicy.DEFAULT,
                    DiskPolicy.DEFAULT);

    public Policy {
        if (replicas < 1 || replicas > 7 || replicas % 2 == 0) {
            throw new IllegalArgumentException(
                    "replicas: " + replicas + " (expected: 1, 3, 5 or 7)");
        }
        Require.positive("suspectAfter", suspectAfter);
        if (deadAfter.compareTo(suspectAfter) < 0) {
            throw new IllegalArgumentException(
                    "deadAfter: " + deadAfter + " (expected: >= " + suspectAfter + ")");
        }
        Require.positive("movesMax", movesMax);
        Require.positive("movesPerNodeMax", movesPerNodeMax);
        Require.positive("leadTransfersMax", leadTransfersMax);
        Require.positive("balanceBand", balanceBand);
        Require.positive("moveGiveUpAfter", moveGiveUpAfter);
        Require.positive("replicasPerNodeMax", replicasPerNodeMax);
    }

    public Policy withReplicas(int count) {
        return with(count, suspectAfter, deadAfter, movesMax, movesPerNodeMax, replicasPerNodeMax);
    }

    public Policy withLiveness(Duration suspect, Duration dead) {
        return with(replicas, suspect, dead, movesMax, movesPerNodeMax, replicasPerNodeMax);
    }

    public Policy withMoves(int max, int perNodeMax) {
        return with(replicas, suspectAfter, deadAfter, max, perNodeMax, replicasPerNodeMax);
    }

    public Policy withReplicasPerNodeMax(int max) {
        return with(replicas, suspectAfter, deadAfter, movesMax, movesPerNodeMax, max);
    }

    public Policy withSplit(SplitPolicy other) {
        return with(other, merge, copysets);
    }

    public Policy withMerge(MergePolicy other) {
        return with(split, other, copysets);
    }

    public Policy withCopysets(CopysetPolicy other) {
        return with(split, merge, other);
    }

    private Policy with(
            int count,
            Duration suspect,
            Duration dead,
            int moves,
            int movesPerNode,
            int replicasPerNode) {
        return new Policy(
                count,
                suspect,
                dead,
                moves,
                movesPerNode,
                leadTransfersMax,
                balanceBand,
                moveGiveUpAfter,
                replicasPerNode,
                split,
                merge,
                copysets,
                quotas,
                disk);
    }

    private Policy with(SplitPolicy splits, MergePolicy merges, CopysetPolicy sets) {
        return new Policy(
                replicas,
                suspectAfter,
                deadAfter,
                movesMax,
                movesPerNodeMax,
                leadTransfersMax,
                balanceBand,
                moveGiveUpAfter,
                replicasPerNodeMax,
                splits,
                merges,
                sets,
                quotas,
                disk);
    }

    /**
     * Returns the upper bound of moves that no range's safety depends on. The rest is reserved for
     * repairs.
     */
    public int voluntaryMovesMax() {
        return movesMax - movesMax / 4;
    }

    /** Returns the tolerated difference between two nodes, if nodes hold this many on average. */
    public int tolerated(int mean) {
        return Math.max(balanceBand, mean / 20);
    }
}

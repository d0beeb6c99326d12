package io.parterre.manager.plan.policy;

/**
 * Which nodes may share ranges, see {@code Copysets}.
 *
 * @param nodesMin with fewer nodes any may share a range with any; each is then needed by most of
 *     the others anyway
 * @param rings how often all nodes are lined up. With three replicas, each adds about one set of
 *     nodes for each node, and four nodes with which it shares ranges
 */
public record CopysetPolicy(int nodesMin, int rings) {
    /** A lost node is rebuilt by some ten others, which is what 16 moves at once keep busy. */
    public static final CopysetPolicy DEFAULT = new CopysetPolicy(20, 3);

    public CopysetPolicy {
        if (nodesMin <= 0) {
            throw new IllegalArgumentException("nodesMin: " + nodesMin + " (expected: positive)");
        }
        if (rings <= 0) {
            throw new IllegalArgumentException("rings: " + rings + " (expected: positive)");
        }
    }
}

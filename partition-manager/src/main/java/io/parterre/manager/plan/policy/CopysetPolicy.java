package io.parterre.manager.plan.policy;

import io.parterre.check.Require;

/**
 * Which nodes may share ranges, see {@code Copysets}.
 *
 * @param nodesMin with fewer nodes any may share a range with any, because most nodes would be
 *     needed by most others anyway
 * @param rings number of orders in which all nodes are lined up. With three replicas, each ring
 *     adds about one set of nodes for each node, and four nodes with which it shares ranges
 */
public record CopysetPolicy(int nodesMin, int rings) {
    /** A lost node is rebuilt by about ten others, which is what 16 moves at once keep busy. */
    public static final CopysetPolicy DEFAULT = new CopysetPolicy(20, 3);

    public CopysetPolicy {
        Require.positive("nodesMin", nodesMin);
        Require.positive("rings", rings);
    }
}

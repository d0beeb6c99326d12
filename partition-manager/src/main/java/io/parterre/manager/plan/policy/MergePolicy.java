package io.parterre.manager.plan.policy;

import io.parterre.check.Require;
import java.time.Duration;

/**
 * When the planner merges neighbouring ranges. Two ranges are quiet if both together have at most
 * half of the load for which {@link SplitPolicy} splits a range, so that a merged range is not
 * split again for a little more load.
 *
 * @param enabled whether the planner merges; operators may merge in any case. If false, merges in
 *     progress that no operator asked for are given up
 * @param ageMin both ranges must have had their leaders, members and bounds for this long
 * @param mergesMax merges at once in the whole cluster
 * @param mergesPerNodeMax merges at once of ranges that a node is a member of
 */
public record MergePolicy(boolean enabled, Duration ageMin, int mergesMax, int mergesPerNodeMax) {
    /** Off until long runs have shown no failures. */
    public static final MergePolicy DEFAULT = new MergePolicy(false, Duration.ofMinutes(30), 4, 1);

    public MergePolicy {
        Require.notNegative("ageMin", ageMin);
        Require.positive("mergesMax", mergesMax);
        Require.positive("mergesPerNodeMax", mergesPerNodeMax);
    }
}

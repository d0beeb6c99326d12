package io.parterre.manager.plan.policy;

import java.time.Duration;

/**
 * When neighbouring ranges are made one without being asked for. What counts as quiet follows from
 * {@link SplitPolicy}: half of what a range is split for, of both together, so that what was merged
 * is not split again for a little more.
 *
 * @param enabled whether they are at all; operators may merge in any case. Where it is not, merges
 *     under way that no operator asked for are given up
 * @param ageMin so long both ranges must have had the leaders, members and bounds that they have
 * @param mergesMax merges at once in the whole cluster
 * @param mergesPerNodeMax merges at once of ranges that a node is a member of
 */
public record MergePolicy(boolean enabled, Duration ageMin, int mergesMax, int mergesPerNodeMax) {
    /** Off until long runs have shown nothing. */
    public static final MergePolicy DEFAULT = new MergePolicy(false, Duration.ofMinutes(30), 4, 1);

    public MergePolicy {
        if (ageMin.isNegative()) {
            throw new IllegalArgumentException("ageMin: " + ageMin + " (expected: not negative)");
        }
        if (mergesMax <= 0) {
            throw new IllegalArgumentException("mergesMax: " + mergesMax + " (expected: positive)");
        }
        if (mergesPerNodeMax <= 0) {
            throw new IllegalArgumentException(
                    "mergesPerNodeMax: " + mergesPerNodeMax + " (expected: positive)");
        }
    }
}

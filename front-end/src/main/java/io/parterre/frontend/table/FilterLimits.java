package io.parterre.frontend.table;

import io.parterre.frontend.config.Problems;

/**
 * Limits of the size of a {@code $filter}. The service documents 15 comparisons and is known to
 * accept more; clients send dozens, so more are accepted here. Source: docs/protocol.md 5.4.
 *
 * @param charsMax most UTF-16 code units of the text
 * @param comparisonsMax most comparisons, including properties and constants in place of one
 * @param levelsMax most levels of the tree, redundant brackets not counted
 */
public record FilterLimits(int charsMax, int comparisonsMax, int levelsMax) {
    /**
     * Other code walks the tree by recursion, on the stacks of threads whose size is not set for
     * it.
     */
    private static final int LEVELS_LIMIT = 500;

    /** More comparisons than this number of characters can hold, so only the text is bounded. */
    public static final FilterLimits DEFAULT = new FilterLimits(65_536, 20_000, LEVELS_LIMIT);

    public FilterLimits {
        new Problems()
                .range("charsMax", charsMax, 1, 1 << 20)
                .range("comparisonsMax", comparisonsMax, 1, 1 << 20)
                .range("levelsMax", levelsMax, 2, LEVELS_LIMIT)
                .refuseIfAny();
    }
}

package io.parterre.frontend.table;

import io.parterre.frontend.config.Problems;

/**
 * How big a {@code $filter} may be. The service documents 15 comparisons and is known to take more;
 * clients send dozens, so that many are taken. Source: docs/protocol.md 5.4.
 *
 * @param charsMax UTF-16 code units of its text
 * @param comparisonsMax comparisons, and properties and constants that stand for one
 * @param levelsMax levels of its tree, redundant brackets not counted
 */
public record FilterLimits(int charsMax, int comparisonsMax, int levelsMax) {
    /**
     * Others walk the tree by recursion, on the stacks of threads whose size they do not choose.
     */
    private static final int LEVELS_LIMIT = 500;

    /** More comparisons than that many characters can hold: only the text is bounded. */
    public static final FilterLimits DEFAULT = new FilterLimits(65_536, 20_000, LEVELS_LIMIT);

    public FilterLimits {
        new Problems()
                .range("charsMax", charsMax, 1, 1 << 20)
                .range("comparisonsMax", comparisonsMax, 1, 1 << 20)
                .range("levelsMax", levelsMax, 2, LEVELS_LIMIT)
                .refuseIfAny();
    }
}

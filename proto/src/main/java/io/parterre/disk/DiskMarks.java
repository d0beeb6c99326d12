package io.parterre.disk;

/**
 * Percentages of a disk in use at which levels begin. A level that was reached holds until {@link
 * #STEP_BACK_PERCENT} less is in use. Otherwise its own consequences, such as a new file or a
 * replica that moves, would begin and end it by turns. Pure.
 *
 * @param highPercent a disk with more in use is {@link DiskLevel#HIGH}; 100: no disk is
 * @param criticalPercent a disk with more in use is {@link DiskLevel#CRITICAL}; not below {@code
 *     highPercent}
 */
public record DiskMarks(int highPercent, int criticalPercent) {
    /** Percent of the disk between the beginning and the end of a level. */
    public static final int STEP_BACK_PERCENT = 2;

    public DiskMarks {
        if (highPercent < 1 || highPercent > 100) {
            throw new IllegalArgumentException(
                    "highPercent: " + highPercent + " (expected: 1..100)");
        }
        if (criticalPercent < highPercent || criticalPercent > 100) {
            throw new IllegalArgumentException(
                    "criticalPercent: "
                            + criticalPercent
                            + " (expected: "
                            + highPercent
                            + "..100)");
        }
    }

    /** Returns the level of a disk from its level before, which stays if the space is not known. */
    public DiskLevel level(DiskSpace space, DiskLevel before) {
        if (!space.isKnown()) {
            return before;
        }
        if (isAt(space, criticalPercent, before == DiskLevel.CRITICAL)) {
            return DiskLevel.CRITICAL;
        }
        return isAt(space, highPercent, before != DiskLevel.OK) ? DiskLevel.HIGH : DiskLevel.OK;
    }

    private static boolean isAt(DiskSpace space, int percent, boolean before) {
        // At 100 there is no such level, and so nothing to step back from.
        return space.isAbove(before && percent < 100 ? percent - STEP_BACK_PERCENT : percent);
    }

    /**
     * Returns whether an OK disk with so much in use stays clear of the next level: it is below
     * that level's end, so that a little more does not begin the level.
     */
    public boolean isClear(DiskSpace space) {
        return !space.isAbove(highPercent < 100 ? highPercent - STEP_BACK_PERCENT : 100);
    }
}

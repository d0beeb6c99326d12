package io.parterre.disk;

/**
 * At which part of a disk in use which level begins. A level that was reached holds until less is
 * in use by {@link #STEP_BACK_PERCENT}, since what is done about it, as a file that is made or a
 * replica that moves, would else begin and end it by turns. Pure.
 *
 * @param highPercent of the disk; a disk with more in use is {@link DiskLevel#HIGH}. 100: none is
 * @param criticalPercent the same of {@link DiskLevel#CRITICAL}; not below the other
 */
public record DiskMarks(int highPercent, int criticalPercent) {
    /** Percent of the disk between where a level begins and where it ends. */
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

    /** The level of a disk that was at another one before; that stays, if nothing is known. */
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
        // At 100 there is no such level, so that there is none to step back from.
        return space.isAbove(before && percent < 100 ? percent - STEP_BACK_PERCENT : percent);
    }

    /**
     * Whether a disk that is OK stays clear of the next level with so much in use: below where that
     * one ends, so that a little more does not begin it.
     */
    public boolean isClear(DiskSpace space) {
        return !space.isAbove(highPercent < 100 ? highPercent - STEP_BACK_PERCENT : 100);
    }
}

package io.parterre.release;

/** Feature levels of clusters that a release can be part of, from the oldest to the newest. */
public record FeatureLevels(FeatureLevel oldest, FeatureLevel newest) {
    /** Levels of this release. */
    public static final FeatureLevels OF_RELEASE =
            new FeatureLevels(FeatureLevel.FIRST, FeatureLevel.NEWEST);

    /** Levels of a release that states none. */
    public static final FeatureLevels UNTOLD =
            new FeatureLevels(FeatureLevel.FIRST, FeatureLevel.FIRST);

    public FeatureLevels {
        if (oldest.isAbove(newest)) {
            throw new IllegalArgumentException(
                    "newest feature level: " + newest + " (expected: >= " + oldest + ")");
        }
    }

    /** Returns whether the release can be part of a cluster of this level. */
    public boolean reads(FeatureLevel level) {
        return !oldest.isAbove(level) && !level.isAbove(newest);
    }

    /** Returns the levels as {@code 1..3}, or a single number. */
    @Override
    public String toString() {
        return oldest.equals(newest) ? oldest.toString() : oldest + ".." + newest;
    }
}

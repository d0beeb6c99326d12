package io.parterre.release;

/**
 * A number for everything that all nodes of a cluster can read; it only grows. A release reads
 * several levels. The cluster has one, above which nothing is written or ordered. Folders have the
 * level's number as their format. Immutable.
 */
public record FeatureLevel(int value) implements Comparable<FeatureLevel> {
    /** Level of releases that state none, and of clusters in which none was ever set. */
    public static final FeatureLevel FIRST = new FeatureLevel(1);

    /** The greatest level that this release knows. */
    public static final FeatureLevel NEWEST = new FeatureLevel(5);

    public FeatureLevel {
        if (value < 1) {
            throw new IllegalArgumentException("feature level: " + value + " (expected: >= 1)");
        }
    }

    /** Returns the level in a message, where 0 comes from a release that states none. */
    public static FeatureLevel told(int value) {
        return value == 0 ? FIRST : new FeatureLevel(value);
    }

    /** Returns whether a node of this level can read the feature's formats and orders. */
    public boolean has(Feature feature) {
        return compareTo(feature.needed()) >= 0;
    }

    public boolean isAbove(FeatureLevel other) {
        return value > other.value;
    }

    /** Returns the greater of both levels. */
    public FeatureLevel or(FeatureLevel other) {
        return isAbove(other) ? this : other;
    }

    @Override
    public int compareTo(FeatureLevel other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Integer.toString(value);
    }
}

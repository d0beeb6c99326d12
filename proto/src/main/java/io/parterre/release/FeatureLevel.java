package io.parterre.release;

/**
 * What everybody in a cluster can read, as a number that only grows. A release reads several of
 * them; the cluster has one, above which nothing is written and nothing ordered. Folders have the
 * level's number as their format.
 */
public record FeatureLevel(int value) implements Comparable<FeatureLevel> {
    /** Of releases that tell none, and of clusters in which none was ever set. */
    public static final FeatureLevel FIRST = new FeatureLevel(1);

    /** The greatest that this release knows. */
    public static final FeatureLevel NEWEST = new FeatureLevel(5);

    public FeatureLevel {
        if (value < 1) {
            throw new IllegalArgumentException("feature level: " + value + " (expected: >= 1)");
        }
    }

    /** As told in a message, where 0 is the word of a release that tells none. */
    public static FeatureLevel told(int value) {
        return value == 0 ? FIRST : new FeatureLevel(value);
    }

    /** Whether a node of this level can read what a feature writes. */
    public boolean has(Feature feature) {
        return compareTo(feature.needed()) >= 0;
    }

    public boolean isAbove(FeatureLevel other) {
        return value > other.value;
    }

    /** The greater of both. */
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

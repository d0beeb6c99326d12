package io.parterre.release;

/**
 * What a process runs, by its own word.
 *
 * @param name for people; may be empty
 * @param levels of clusters that it can be part of
 */
public record Release(String name, FeatureLevels levels) {
    /** This one, as it is called by the build. */
    public static Release running(String name) {
        return new Release(name, FeatureLevels.OF_RELEASE);
    }
}

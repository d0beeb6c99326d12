package io.parterre.release;

/**
 * The release of a process, as the process states it. Immutable.
 *
 * @param name for people; may be empty
 * @param levels feature levels of clusters that the release can be part of
 */
public record Release(String name, FeatureLevels levels) {
    /** Returns the running release, by the name that the build has given it. */
    public static Release running(String name) {
        return new Release(name, FeatureLevels.OF_RELEASE);
    }
}

package io.parterre.release;

import java.io.IOException;

/**
 * Records the level that a cluster has reached, in a place that an earlier release checks before it
 * reads data.
 */
@FunctionalInterface
public interface LevelKeeper {
    /** Records the level durably. May be called again, also with a level below the recorded one. */
    void keep(FeatureLevel level) throws IOException;
}

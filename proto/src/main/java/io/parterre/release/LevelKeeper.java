package io.parterre.release;

import java.io.IOException;

/** Keeps which level a cluster has reached, where an earlier release looks before it reads. */
@FunctionalInterface
public interface LevelKeeper {
    /** Durable when it returns; may be told again, also of a level below the one that is kept. */
    void keep(FeatureLevel level) throws IOException;
}

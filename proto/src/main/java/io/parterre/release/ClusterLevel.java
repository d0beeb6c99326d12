package io.parterre.release;

import java.util.concurrent.atomic.AtomicReference;

/** The feature level of the cluster, as far as this process knows it. Safe for any thread. */
public final class ClusterLevel {
    private final AtomicReference<FeatureLevel> known;

    public ClusterLevel(FeatureLevel known) {
        this.known = new AtomicReference<>(known);
    }

    public FeatureLevel get() {
        return known.get();
    }

    /** Returns whether the feature may be used. */
    public boolean has(Feature feature) {
        return get().has(feature);
    }

    /** Raises the known level to at least this one; it never falls. */
    public void raise(FeatureLevel level) {
        known.accumulateAndGet(level, FeatureLevel::or);
    }
}

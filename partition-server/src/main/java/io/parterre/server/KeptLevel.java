package io.parterre.server;

import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import io.parterre.release.LevelKeeper;
import io.parterre.release.NewerReleaseException;
import io.parterre.server.store.DataFolder;
import java.io.IOException;

/**
 * The cluster's feature level as the node knows it. The node learns the level from the managers,
 * and records it in the data folder before it writes anything that needs the level. {@link
 * #learned} is for one thread; {@link #known} is for any.
 */
final class KeptLevel {
    private final DataFolder folder;
    private final LevelKeeper marker;
    private final ClusterLevel known;

    /**
     * Starts with the level that the folder records.
     *
     * @param marker records the level before the folder does, because an earlier release reads the
     *     marker first
     */
    KeptLevel(DataFolder folder, LevelKeeper marker) {
        this.folder = folder;
        this.marker = marker;
        this.known = new ClusterLevel(folder.level());
    }

    ClusterLevel known() {
        return known;
    }

    /**
     * Takes the level that a manager has stated. An older level, as from a manager that lags
     * behind, is ignored.
     *
     * @throws NewerReleaseException if this release cannot be part of such a cluster
     * @throws IOException if the level cannot be recorded
     */
    void learned(FeatureLevel told) throws IOException {
        if (told.isAbove(FeatureLevels.OF_RELEASE.newest())) {
            throw new NewerReleaseException(
                    "the cluster has feature level "
                            + told
                            + " (expected: "
                            + FeatureLevels.OF_RELEASE
                            + ", which this release reads): start the node with the release that"
                            + " the others run");
        }
        if (told.isAbove(known.get())) {
            marker.keep(told);
            folder.raise(told);
            known.raise(told);
        }
    }
}

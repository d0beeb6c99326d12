package io.parterre.server;

import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import io.parterre.release.LevelKeeper;
import io.parterre.release.NewerReleaseException;
import io.parterre.server.store.DataFolder;
import java.io.IOException;

/**
 * The cluster's feature level as the node knows it: learnt from the managers, and kept by the data
 * folder before anything is written that needs it. For one thread; what is known, for any.
 */
final class KeptLevel {
    private final DataFolder folder;
    private final LevelKeeper marker;
    private final ClusterLevel known;

    /**
     * As the folder has it.
     *
     * @param marker told before the folder: an earlier release looks there first
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
     * Takes what a manager has told. An older word, as of a manager that lags behind, is none.
     *
     * @throws NewerReleaseException if this release cannot be part of such a cluster
     * @throws IOException if it cannot be kept
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

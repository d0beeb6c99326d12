package io.parterre.manager.raft;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapDelta;
import io.parterre.release.FeatureLevel;
import java.util.List;

/**
 * Hears what the group does. Called on threads of the Raft group, in log order for changes: must
 * return at once and not throw.
 */
public interface MapListener {
    /** Another map took the place of the one before, from a snapshot. */
    void replaced(ClusterMap map);

    /** The map changed in a way that watchers see. */
    void changed(MapDelta delta);

    /**
     * The group has these members as of what was applied here. May wait for the disk.
     *
     * @throws java.io.UncheckedIOException if that cannot be kept: the process has to end
     */
    void members(List<ClusterManager> members);

    /**
     * The cluster's feature level is above the first; told before anything of that level but the
     * log entry is written. May wait for the disk.
     *
     * @throws java.io.UncheckedIOException if that cannot be kept: the process has to end
     */
    default void raised(FeatureLevel level) {}

    /** This manager leads and has applied every entry of its predecessors. */
    void leading();

    /** This manager leads no more. */
    void following();
}

package io.parterre.manager.raft;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapDelta;
import io.parterre.release.FeatureLevel;
import java.util.List;

/**
 * Receives the events of the group. Called on threads of the Raft group, for changes in log order.
 * Methods must return at once and must not throw, unless they say otherwise.
 */
public interface MapListener {
    /** A snapshot has replaced the map. */
    void replaced(ClusterMap map);

    /** The map has changed in a way that watchers see. */
    void changed(MapDelta delta);

    /**
     * The group has these members, as applied here. May wait for the disk.
     *
     * @throws java.io.UncheckedIOException if the members cannot be stored; the process has to end
     */
    void members(List<ClusterManager> members);

    /**
     * The cluster's feature level is above the first. Called before anything of that level is
     * written, except its log entry. May wait for the disk.
     *
     * @throws java.io.UncheckedIOException if the level cannot be stored; the process has to end
     */
    default void raised(FeatureLevel level) {}

    /** This manager leads and has applied every entry of its predecessors. */
    void leading();

    /** This manager has lost leadership. */
    void following();
}

package io.parterre.manager.lead;

import io.parterre.manager.lead.LeaderHints.Hint;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.reason.Reason;
import java.util.List;
import java.util.Optional;

/** A follower of the map. Called by the loop's thread alone, which it must not block. */
public interface Watcher {
    /** Returns the name for logs and operators. */
    WatcherName name();

    /**
     * Returns the version of the map that the watcher holds already; 0 if it wants the whole map.
     *
     * @param clusterId cluster of this manager's map; a version of another cluster's map counts for
     *     nothing
     */
    long knownVersion(Optional<ClusterId> clusterId);

    /**
     * Returns whether the watcher takes an update now. If not, {@link LeaderService#ready} is
     * called once it does.
     */
    boolean isReady();

    /** Takes the whole map with all hints. */
    void whole(ClusterMap map, List<Hint> hints, QuotaShares shares);

    /**
     * Takes changes. Deltas are empty if only hints or shares are new.
     *
     * @param map the current map, at this version or a later one
     */
    void changes(
            ClusterMap map,
            long version,
            List<MapDelta> deltas,
            List<Hint> hints,
            QuotaShares shares);

    /** The watcher gets no updates, because its release cannot be part of the cluster. */
    void refused(Reason why);

    /** The watcher gets no more updates, because this manager does not lead. */
    void ended(Optional<String> leaderAddress);
}

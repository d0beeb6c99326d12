package io.parterre.manager.lead;

import io.parterre.manager.lead.LeaderHints.Hint;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.reason.Reason;
import java.util.List;
import java.util.Optional;

/** Someone who follows the map. Called by the loop's thread alone; must not block it. */
public interface Watcher {
    /** For logs and operators. */
    WatcherName name();

    /**
     * Version of the map that it holds already; 0: it wants the whole map.
     *
     * @param clusterId of the cluster whose map this is; a version of another one says nothing
     */
    long knownVersion(Optional<ClusterId> clusterId);

    /**
     * Whether it takes an update now. If not, {@link LeaderService#ready} is called once it does.
     */
    boolean isReady();

    /** The map as a whole, with every hint. */
    void whole(ClusterMap map, List<Hint> hints, QuotaShares shares);

    /**
     * What is new; deltas are empty when only hints or shares are.
     *
     * @param map as it is now, at this version or a later one
     */
    void changes(
            ClusterMap map,
            long version,
            List<MapDelta> deltas,
            List<Hint> hints,
            QuotaShares shares);

    /** No updates: its release cannot be part of the cluster. */
    void refused(Reason why);

    /** No more updates: this manager does not lead. */
    void ended(Optional<String> leaderAddress);
}

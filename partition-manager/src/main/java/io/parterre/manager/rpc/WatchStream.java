package io.parterre.manager.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.parterre.manager.lead.LeaderHints.Hint;
import io.parterre.manager.lead.Watcher;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapDelta;
import io.parterre.proto.manager.MapUpdate;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * A watcher at the other end of a gRPC stream. Holds at most what the transport has taken and the
 * rest of one update, whose parts all watchers share.
 */
final class WatchStream implements Watcher {
    private final String name;
    private final ServerCallStreamObserver<MapUpdate> stream;
    private final MapUpdates updates;
    private final ArrayDeque<MapUpdate> rest = new ArrayDeque<>();

    /**
     * Told with the whole map or by the delta that founded the cluster; repeated in each update.
     */
    private Optional<ClusterId> clusterId = Optional.empty();

    WatchStream(String name, ServerCallStreamObserver<MapUpdate> stream, MapUpdates updates) {
        this.name = name;
        this.stream = stream;
        this.updates = updates;
    }

    @Override
    public String name() {
        return name;
    }

    /** Sends on what is left of the last update first. */
    @Override
    public boolean isReady() {
        send();
        return rest.isEmpty() && stream.isReady();
    }

    private void send() {
        while (!rest.isEmpty() && stream.isReady()) {
            stream.onNext(rest.removeFirst());
        }
    }

    @Override
    public void whole(ClusterMap map, List<Hint> hints) {
        clusterId = map.clusterId();
        rest.addAll(updates.whole(map, hints));
        send();
    }

    @Override
    public void changes(long version, List<MapDelta> deltas, List<Hint> hints) {
        for (MapDelta delta : deltas) {
            clusterId = delta.clusterId().or(() -> clusterId);
        }
        rest.addAll(updates.changes(version, clusterId, deltas, hints));
        send();
    }

    @Override
    public void ended(Optional<String> leaderAddress) {
        stream.onError(Refusals.notLeading(leaderAddress));
    }
}

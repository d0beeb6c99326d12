package io.parterre.manager.rpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.parterre.manager.lead.LeaderHints.Hint;
import io.parterre.manager.lead.QuotaShares;
import io.parterre.manager.lead.Watcher;
import io.parterre.manager.lead.WatcherName;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.LevelsCodec;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonText;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.WatchRequest;
import io.parterre.release.FeatureLevels;
import io.parterre.release.Release;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * A watcher at the other end of a gRPC stream. Holds at most what the transport has accepted and
 * the rest of one update, whose parts all watchers share.
 */
final class WatchStream implements Watcher {
    private final WatcherName name;
    private final String knownCluster;
    private final long knownVersion;
    private final ServerCallStreamObserver<MapUpdate> stream;
    private final MapUpdates updates;
    private final ArrayDeque<MapUpdate> rest = new ArrayDeque<>();

    /**
     * Creates a watcher.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    WatchStream(
            WatchRequest request, ServerCallStreamObserver<MapUpdate> stream, MapUpdates updates) {
        this.name =
                new WatcherName(
                        request.getWatcher(),
                        request.getAddress(),
                        new Release(
                                request.getRelease(),
                                LevelsCodec.fromProto(
                                                request.hasFeatureLevels(),
                                                request.getFeatureLevels())
                                        .orElse(FeatureLevels.UNTOLD)),
                        request.getInstance());
        this.knownCluster = request.getKnownClusterId();
        this.knownVersion = request.getKnownVersion();
        this.stream = stream;
        this.updates = updates;
    }

    @Override
    public WatcherName name() {
        return name;
    }

    @Override
    public long knownVersion(Optional<ClusterId> clusterId) {
        return clusterId.map(ClusterId::value).equals(Optional.of(knownCluster)) ? knownVersion : 0;
    }

    /** First sends what is left of the last update. */
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
    public void whole(ClusterMap map, List<Hint> hints, QuotaShares shares) {
        rest.addAll(updates.whole(map, hints, shares));
        send();
    }

    @Override
    public void changes(
            ClusterMap map,
            long version,
            List<MapDelta> deltas,
            List<Hint> hints,
            QuotaShares shares) {
        rest.addAll(updates.changes(map, version, deltas, hints, shares));
        send();
    }

    @Override
    public void refused(Reason why) {
        stream.onError(
                Status.FAILED_PRECONDITION
                        .withDescription(ReasonText.of(why))
                        .asRuntimeException());
    }

    @Override
    public void ended(Optional<String> leaderAddress) {
        stream.onError(Refusals.notLeading(leaderAddress));
    }
}

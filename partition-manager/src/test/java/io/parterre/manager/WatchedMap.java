package io.parterre.manager;

import io.grpc.stub.StreamObserver;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.Node;
import io.parterre.proto.range.Descriptor;
import java.util.List;
import java.util.TreeMap;

/** The map as a watcher builds it from what it is sent, and nothing else. */
final class WatchedMap implements StreamObserver<MapUpdate> {
    private long version = -1;
    private String clusterId = "";
    private int wholeUpdates;
    private int updates;
    private int parts;
    private Throwable end;
    private final TreeMap<Long, Descriptor> ranges = new TreeMap<>();
    private final TreeMap<String, Node> nodes = new TreeMap<>();
    private final TreeMap<String, Account> accounts = new TreeMap<>();
    private final TreeMap<Long, String> leaders = new TreeMap<>();

    @Override
    public synchronized void onNext(MapUpdate update) {
        if (!update.getMore()) {
            updates++;
        }
        parts++;
        if (update.getWhole()) {
            wholeUpdates++;
            ranges.clear();
            nodes.clear();
            accounts.clear();
        }
        version = update.getVersion();
        clusterId = update.getClusterId();
        update.getRemovedRangesList().forEach(ranges::remove);
        update.getRangesList().forEach(range -> ranges.put(range.getRangeId(), range));
        update.getNodesList().forEach(node -> nodes.put(node.getNodeId(), node));
        update.getAccountsList().forEach(account -> accounts.put(account.getName(), account));
        update.getLeadersList().forEach(hint -> leaders.put(hint.getRangeId(), hint.getNodeId()));
    }

    @Override
    public synchronized void onError(Throwable failure) {
        end = failure;
    }

    @Override
    public synchronized void onCompleted() {
        end = new IllegalStateException("completed");
    }

    synchronized long version() {
        return version;
    }

    synchronized int wholeUpdates() {
        return wholeUpdates;
    }

    synchronized int updates() {
        return updates;
    }

    synchronized int parts() {
        return parts;
    }

    synchronized List<String> members(long rangeId) {
        return ranges.containsKey(rangeId) ? ranges.get(rangeId).getMembersList() : List.of();
    }

    synchronized long generation(long rangeId) {
        return ranges.containsKey(rangeId) ? ranges.get(rangeId).getGeneration() : 0;
    }

    synchronized Throwable end() {
        return end;
    }

    synchronized String leaderOf(long rangeId) {
        return leaders.getOrDefault(rangeId, "");
    }

    synchronized int rangeCount() {
        return ranges.size();
    }

    /** Everything it holds, to compare with another watcher's. */
    synchronized String content() {
        return version + clusterId + ranges + nodes + accounts + leaders;
    }
}

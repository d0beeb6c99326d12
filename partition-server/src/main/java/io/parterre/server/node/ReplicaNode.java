package io.parterre.server.node;

import io.parterre.concurrent.Alarm;
import io.parterre.crash.CrashHook;
import io.parterre.key.KeyRange;
import io.parterre.raftlink.EntryRoom;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.log.LogBufferRoom;
import io.parterre.server.log.LogMemory;
import io.parterre.server.raft.RaftConfig;
import io.parterre.server.raft.RaftHost;
import io.parterre.server.raft.RaftStart;
import io.parterre.server.raft.Replica;
import io.parterre.server.raft.ReplicaFactory;
import io.parterre.server.raft.VoteQuarantine;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import io.parterre.tls.TlsEnds;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * State shared by the parts of a node that start, add, repair and remove replicas. Its monitor is
 * the lock of the set of replicas: a thread that adds or removes one holds it while it waits for
 * the disk and for Ratis. The lock of one replica's membership, {@link Replica#membership}, is
 * taken within it.
 */
public final class ReplicaNode {
    private final NodeMeans means;
    private final ReplicaRegistry replicas = new ReplicaRegistry();
    private final VoteQuarantine votes;
    private volatile RaftHost host;
    private volatile boolean closing;
    private volatile ReplicaFactory factory;

    ReplicaNode(NodeMeans means, VoteQuarantine votes) {
        this.means = means;
        this.votes = votes;
    }

    NodeId self() {
        return means.self();
    }

    ServerStore store() {
        return means.store();
    }

    ReplicaFolders folders() {
        return means.folders();
    }

    ClusterLevel level() {
        return means.level();
    }

    LongSupplier nanoTicker() {
        return means.nanoTicker();
    }

    Alarm alarm() {
        return means.alarm();
    }

    CrashHook<CrashPoint> crash() {
        return means.crash();
    }

    ReplicaRegistry replicas() {
        return replicas;
    }

    VoteQuarantine votes() {
        return votes;
    }

    /** Creates replicas; set once, before anything else is asked. */
    ReplicaFactory factory() {
        return factory;
    }

    void factory(ReplicaFactory made) {
        factory = made;
    }

    /** The Raft server; null until the node has started. */
    RaftHost host() {
        return host;
    }

    void started(RaftHost running) {
        host = running;
    }

    boolean isClosing() {
        return closing;
    }

    void closing() {
        closing = true;
    }

    /** Notes a change of a replica that the manager should hear of. */
    void changed() {
        means.onChange().run();
    }

    /** Returns the start of the Raft server with the logs of this node. */
    RaftStart raftStart(
            RaftConfig config,
            Optional<TlsEnds> tls,
            EntryRoom entryRoom,
            LogMemory memory,
            LogBufferRoom room) {
        return new RaftStart(
                config,
                self(),
                folders().logs(),
                tls,
                replicas::find,
                entryRoom,
                votes,
                memory,
                room,
                nanoTicker(),
                alarm(),
                crash(),
                means.onFailure());
    }

    /** Ends the replica's membership in its Raft group and removes the group from the server. */
    void takeOut(Replica replica, boolean withLog) throws IOException {
        replica.leaving();
        if (host.contains(replica.descriptor().rangeId())) {
            host.remove(replica.descriptor().rangeId(), withLog);
        }
    }

    /**
     * Bounds of all other ranges in the store, whether they have replicas yet or not: nothing of
     * them may be deleted.
     */
    List<KeyRange> othersStored(RangeId rangeId) {
        return store().localRows().ranges().stream()
                .filter(each -> !each.equals(rangeId))
                .map(each -> StoredReplica.descriptor(store(), each))
                .flatMap(Optional::stream)
                .map(range -> range.descriptor().bounds())
                .toList();
    }
}

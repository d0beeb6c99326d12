package io.parterre.server.replica;

import io.parterre.key.Key;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.OwnKey;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Effects of changes of a range's rows on its node: which scopes are fenced, which files are kept
 * or reclaimed, which replicas appear and disappear. Used by the thread that applies; the fences
 * may be read from any thread.
 */
public final class NodeEffects {
    private final NodeId self;
    private final ServerStore store;
    private final Neighbourhood neighbourhood;
    private final Set<Key> fences = ConcurrentHashMap.newKeySet();

    NodeEffects(NodeId self, ServerStore store, Neighbourhood neighbourhood) {
        this.self = self;
        this.store = store;
        this.neighbourhood = neighbourhood;
    }

    /** Notes that the rows were replaced, with these fences. */
    void restored(Set<Key> fenced) {
        fences.clear();
        fences.addAll(fenced);
    }

    /**
     * Whether the scope is fenced. To be asked after the rows were opened, because a fence shows
     * here before its effect on the rows does.
     */
    public boolean isFenced(Key scope) {
        return fences.contains(scope);
    }

    /** A copy of the fenced scopes. */
    public Set<Key> fences() {
        return Set.copyOf(fences);
    }

    /** Called before the mutation is written. */
    public void before(Mutation mutation) {
        if (mutation instanceof Mutation.PutOwn own && own.key().kind() == OwnKey.Kind.FENCE) {
            fences.add(own.key().suffix());
        } else if (mutation instanceof Mutation.DeleteRange again && !again.reclaimed()) {
            store.keepFiles(again.range());
        }
    }

    /** Translates mutations to those of this node, for a replica in this phase. */
    List<Mutation> here(List<Mutation> mutations, ReplicaPhase phase) {
        return mutations.stream().noneMatch(Mutation.PutChild.class::isInstance)
                ? mutations
                : mutations.stream().map(mutation -> here(mutation, phase)).toList();
    }

    private Mutation here(Mutation mutation, ReplicaPhase phase) {
        if (!(mutation instanceof Mutation.PutChild put)) {
            return mutation;
        }
        RangeId childId = put.range().descriptor().rangeId();
        if (!phase.bears(put.range(), self)) {
            return new Mutation.DeleteRange(put.range().descriptor().bounds());
        }
        if (StoredReplica.descriptor(store, childId).isPresent()) {
            throw new IllegalStateException(
                    "range " + childId + " is here already (expected: an id never used)");
        }
        return mutation;
    }

    /** Called after the mutation is written. */
    public void after(Mutation mutation, ReplicaPhase phase) {
        if (mutation instanceof Mutation.DeleteRange deleted && deleted.reclaimed()) {
            store.reclaim(deleted.range());
        } else if (mutation instanceof Mutation.PutChild put && phase.bears(put.range(), self)) {
            // While the range still has the keys, so that they belong to some replica at every
            // moment.
            neighbourhood.childCreated(put.range());
        } else if (mutation instanceof Mutation.DeleteOwn own
                && own.key().kind() == OwnKey.Kind.FENCE) {
            fences.remove(own.key().suffix());
        } else if (mutation instanceof Mutation.AbsorbNeighbour taken) {
            // Once the range has the keys, so that they belong to some replica at every moment.
            neighbourhood.absorbed(taken.range().descriptor().rangeId());
        }
    }
}

package io.parterre.chaos.simulation;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.OwnKey;
import io.parterre.server.apply.StateView;
import io.parterre.server.lifecycle.ReplicaPhase;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * A node's rows. A crash falls back to the last flush, which is of all rows at once. Both are
 * values that share what they have in common, so that neither costs anything.
 */
final class NodeStore implements StateView {
    private TreePMap<Key, byte[]> data = TreePMap.empty();
    private TreePMap<RangeId, StoredReplica> replicas = TreePMap.empty();
    private TreePMap<Key, byte[]> durableData = data;
    private TreePMap<RangeId, StoredReplica> durableReplicas = replicas;

    TreePMap<Key, byte[]> data() {
        return data;
    }

    TreePMap<RangeId, StoredReplica> replicas() {
        return replicas;
    }

    Optional<StoredReplica> durable(RangeId rangeId) {
        return Optional.ofNullable(durableReplicas.get(rangeId));
    }

    void flush() {
        durableData = data;
        durableReplicas = replicas;
    }

    void fallBack() {
        data = durableData;
        replicas = durableReplicas;
    }

    @Override
    public Optional<byte[]> get(Key key) {
        return Optional.ofNullable(data.get(key));
    }

    void put(StoredReplica replica) {
        replicas = replicas.plus(replica.descriptor().rangeId(), replica);
    }

    void remove(RangeId rangeId) {
        replicas = replicas.minus(rangeId);
    }

    void putAll(TreePMap<Key, byte[]> rows) {
        data = data.plusAll(rows);
    }

    void empty(List<KeyRange> keys) {
        keys.forEach(this::empty);
    }

    void empty(KeyRange keys) {
        data = data.minusAll(within(data, keys).keySet());
    }

    static TreePMap<Key, byte[]> within(TreePMap<Key, byte[]> rows, KeyRange keys) {
        return rows.subMap(keys.start(), true, keys.endExclusive(), false);
    }

    /**
     * Takes what an entry, or a slice of one, has come to, all or nothing, and says what the
     * replica is then.
     *
     * @param begun commands of the entry that are applied with that; 0: all
     */
    StoredReplica take(
            StoredReplica replica,
            List<Mutation> mutations,
            ReplicaPhase phase,
            long index,
            int begun) {
        Batch batch = new Batch(replica, index);
        mutations.forEach(each -> each.match(batch));
        StoredReplica written =
                new StoredReplica(
                        batch.range, phase, begun > 0 ? index - 1 : index, begun, batch.own);
        put(written);
        return written;
    }

    private final class Batch implements Mutation.Cases<Void> {
        private final long index;
        private HostedRange range;
        private TreePMap<OwnKey, byte[]> own;

        Batch(StoredReplica replica, long index) {
            this.range = replica.range();
            this.own = replica.own();
            this.index = index;
        }

        @Override
        public Void put(Mutation.Put put) {
            data = data.plus(put.key(), put.value());
            return null;
        }

        @Override
        public Void putLater(Mutation.PutLater put) {
            return put(put.now());
        }

        @Override
        public Void delete(Mutation.Delete delete) {
            data = data.minus(delete.key());
            return null;
        }

        @Override
        public Void deleteRange(Mutation.DeleteRange delete) {
            empty(delete.range());
            return null;
        }

        @Override
        public Void putOwn(Mutation.PutOwn put) {
            own = own.plus(put.key(), put.value());
            return null;
        }

        @Override
        public Void deleteOwn(Mutation.DeleteOwn delete) {
            own = own.minus(delete.key());
            return null;
        }

        @Override
        public Void putRange(Mutation.PutRange put) {
            range = put.range();
            return null;
        }

        @Override
        public Void putChild(Mutation.PutChild put) {
            RangeId childId = put.range().descriptor().rangeId();
            Violation.unless(!replicas.containsKey(childId), "range %s is here already", childId);
            TreePMap<OwnKey, byte[]> remembered = StoredReplica.NOTHING;
            for (var row : put.own()) {
                remembered = remembered.plus(row.key(), row.value());
            }
            NodeStore.this.put(
                    new StoredReplica(put.range(), ReplicaPhase.BORN, index, 0, remembered));
            return null;
        }

        @Override
        public Void absorbNeighbour(Mutation.AbsorbNeighbour taken) {
            RangeId rightId = taken.range().descriptor().rangeId();
            NodeStore.this.put(replicas.get(rightId).in(ReplicaPhase.ABSORBED));
            return null;
        }
    }
}

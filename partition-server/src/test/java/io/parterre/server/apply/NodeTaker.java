package io.parterre.server.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.RangeId;
import java.util.Map;

/** Takes mutations as a node's store does. */
record NodeTaker(NodeRows node, NodeReplica replica, long index, Map<RangeId, CommittedLog> logs)
        implements Mutation.Cases<Void> {
    @Override
    public Void put(Mutation.Put put) {
        node.data.put(put.key(), put.value());
        return null;
    }

    @Override
    public Void putLater(Mutation.PutLater put) {
        return put(put.now());
    }

    @Override
    public Void delete(Mutation.Delete delete) {
        node.data.remove(delete.key());
        return null;
    }

    @Override
    public Void deleteRange(Mutation.DeleteRange delete) {
        node.data.subMap(delete.range().start(), delete.range().endExclusive()).clear();
        return null;
    }

    @Override
    public Void putOwn(Mutation.PutOwn put) {
        replica.own.put(put.key(), put.value());
        return null;
    }

    @Override
    public Void deleteOwn(Mutation.DeleteOwn delete) {
        replica.own.remove(delete.key());
        return null;
    }

    @Override
    public Void putRange(Mutation.PutRange put) {
        replica.range = put.range();
        return null;
    }

    @Override
    public Void putChild(Mutation.PutChild put) {
        NodeReplica child = new NodeReplica(put.range(), index);
        put.own().forEach(row -> child.own.put(row.key(), row.value()));
        RangeId childId = put.range().descriptor().rangeId();
        assertThat(node.replicas.put(childId, child)).isNull();
        logs.putIfAbsent(childId, new CommittedLog(index));
        return null;
    }

    @Override
    public Void absorbNeighbour(Mutation.AbsorbNeighbour taken) {
        assertThat(node.replicas.remove(taken.range().descriptor().rangeId())).isNotNull();
        return null;
    }
}

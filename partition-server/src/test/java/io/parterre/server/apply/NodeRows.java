package io.parterre.server.apply;

import io.parterre.key.Key;
import io.parterre.range.RangeId;
import java.util.TreeMap;

/** All that a simulated node's store holds. */
final class NodeRows {
    final TreeMap<Key, byte[]> data = new TreeMap<>();
    final TreeMap<RangeId, NodeReplica> replicas = new TreeMap<>();

    NodeRows copy() {
        NodeRows copy = new NodeRows();
        copy.data.putAll(data);
        replicas.forEach((id, replica) -> copy.replicas.put(id, replica.copy()));
        return copy;
    }
}

package io.parterre.chaos.simulation;

import io.parterre.range.RangeDescriptor;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.OwnKey;
import io.parterre.server.apply.OwnRow;
import io.parterre.server.lifecycle.ReplicaPhase;
import java.util.Comparator;
import java.util.List;
import org.pcollections.TreePMap;

/**
 * What a node's store has of a replica besides the data.
 *
 * @param appliedIndex -1: nothing
 * @param begun commands of the next entry that are applied
 */
record StoredReplica(
        HostedRange range,
        ReplicaPhase phase,
        long appliedIndex,
        int begun,
        TreePMap<OwnKey, byte[]> own) {
    static final TreePMap<OwnKey, byte[]> NOTHING =
            TreePMap.empty(Comparator.comparing(OwnKey::kind).thenComparing(OwnKey::suffix));

    RangeDescriptor descriptor() {
        return range.descriptor();
    }

    /** The last entry that has left something in the rows. */
    long lastTouched() {
        return begun > 0 ? appliedIndex + 1 : appliedIndex;
    }

    StoredReplica in(ReplicaPhase other) {
        return new StoredReplica(range, other, appliedIndex, begun, own);
    }

    List<OwnRow> ownRows() {
        return own.entrySet().stream()
                .map(row -> new OwnRow(row.getKey(), row.getValue()))
                .toList();
    }
}

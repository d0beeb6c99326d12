package io.parterre.server.raft;

import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a start finds in the store, and ends first where the process ended in the middle of it. */
record Resumption(ServerStore store, ReplicaFolders folders, Consumer<Installation.Step> onStep) {
    private static final Logger LOG = LoggerFactory.getLogger(Resumption.class);

    /**
     * The replicas there are, by range id, once removals and installs are ended.
     *
     * <p>In this order, which is that of the ranges' making: a range's child may lie in what is to
     * be emptied of an older copy of it, but no range lies in one of its children.
     */
    Map<RangeId, HostedRange> run() throws IOException {
        Map<RangeId, HostedRange> found = new TreeMap<>();
        for (RangeId rangeId : store.rangesWithLocalRows()) {
            ReplicaRows.descriptor(store, rangeId).ifPresent(range -> found.put(rangeId, range));
        }
        for (RangeId rangeId : List.copyOf(found.keySet())) {
            finish(rangeId, found);
        }
        folders.discardCopies();
        return found;
    }

    private void finish(RangeId rangeId, Map<RangeId, HostedRange> found) throws IOException {
        ReplicaPhase phase = ReplicaRows.phase(store, rangeId);
        List<KeyRange> others =
                found.values().stream()
                        .map(HostedRange::descriptor)
                        .filter(each -> !each.rangeId().equals(rangeId))
                        .map(RangeDescriptor::bounds)
                        .toList();
        if (phase == ReplicaPhase.REMOVING) {
            folders.deleteLog(rangeId);
            deleteRows(store, found.remove(rangeId).descriptor(), others);
        } else if (phase == ReplicaPhase.INSTALLING) {
            LOG.info("install resumed rangeId={}", rangeId);
            Installation.resume(store, found.get(rangeId), others, folders.copy(rangeId), onStep);
            found.put(rangeId, ReplicaRows.descriptor(store, rangeId).orElseThrow());
        }
    }

    /**
     * Removes all rows of a replica that is given up, durably.
     *
     * @param others bounds of the node's other replicas
     */
    static void deleteRows(ServerStore store, RangeDescriptor descriptor, List<KeyRange> others) {
        List<KeyRange> emptied = FreeKeys.of(descriptor.bounds(), others);
        store.dropFiles(emptied);
        try (StoreBatch batch = new StoreBatch()) {
            ReplicaRows.deleteAll(batch, descriptor.rangeId(), emptied);
            store.write(batch);
        }
        store.flush();
    }
}

package io.parterre.server.replica;

import io.parterre.crash.CrashHook;
import io.parterre.file.DurableFiles;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.copy.StagedCopy;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.rows.FreeKeys;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Replaces a replica's rows by a staged copy.
 *
 * <p>Once the replica is marked, its rows mean nothing any more and the files are the truth: a
 * start that finds the mark begins again with the files. The files are ingested in one step. This
 * step also removes the mark, because the phase row is among the copy's rows. So a crash leaves the
 * old rows or the new ones, and a replica that was a member never forgets what it has acknowledged.
 */
public final class Installation {
    private Installation() {}

    /**
     * Replaces the replica's rows; the new rows are durable when the call returns.
     *
     * @param range range as copied
     * @param held bounds of the replaced rows, which are wider if the range was split since
     * @param superseded replicas of ranges that no longer exist and whose keys belong to the copied
     *     range; they are replaced as well
     * @param others bounds of the node's other replicas, whose rows stay
     * @param folder folder of a complete copy
     */
    public static void run(
            ServerStore store,
            HostedRange range,
            KeyRange held,
            List<RangeDescriptor> superseded,
            List<KeyRange> others,
            Path folder,
            CrashHook<CrashPoint> crash)
            throws IOException {
        crash.reached(CrashPoint.COPY_STAGED);
        // A start after a crash empties the bounds of this descriptor; the copy's descriptor is
        // among its rows.
        KeyRange emptied = held.hull(range.descriptor().bounds());
        for (RangeDescriptor each : superseded) {
            emptied = emptied.hull(each.bounds());
        }
        HostedRange marked = range.over(emptied);
        StoredReplica.markInstalling(
                store, marked, superseded.stream().map(RangeDescriptor::rangeId).toList());
        crash.reached(CrashPoint.COPY_MARKED);
        resume(store, marked, others, folder, crash);
    }

    /** Continues with a replica that was found marked. */
    public static void resume(
            ServerStore store,
            HostedRange range,
            List<KeyRange> others,
            Path folder,
            CrashHook<CrashPoint> crash)
            throws IOException {
        List<Path> files = StagedCopy.files(folder);
        if (files.isEmpty()) {
            throw new IOException("copy to be installed is not there: " + folder);
        }
        List<KeyRange> emptied = FreeKeys.of(range.descriptor().bounds(), others);
        store.files().drop(emptied);
        try (StoreBatch batch = new StoreBatch()) {
            StoredReplica.deleteAll(batch, range.descriptor().rangeId(), emptied);
            // The row by which a start after a crash finds the replica again.
            StoredReplica.put(batch, range, ReplicaPhase.INSTALLING);
            store.write(batch);
        }
        store.flush();
        crash.reached(CrashPoint.COPY_EMPTIED);
        store.files().ingest(files);
        crash.reached(CrashPoint.COPY_INGESTED);
        DurableFiles.removeFolder(folder);
    }
}

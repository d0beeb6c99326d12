package io.parterre.server;

import io.parterre.crash.CrashHook;
import io.parterre.server.crash.CrashPoint;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A disk that hangs: holds whatever is about to be synced or flushed until it works again. */
final class HangingDisk implements CrashHook<CrashPoint> {
    static final List<String> THREE = List.of("node-1", "node-2", "node-3");

    final AtomicBoolean hangs = new AtomicBoolean();
    final CountDownLatch works = new CountDownLatch(1);

    @Override
    public void reached(CrashPoint point) {
        boolean ofDisk = point == CrashPoint.BEFORE_LOG_SYNC || point == CrashPoint.BEFORE_FLUSH;
        if (!ofDisk || !hangs.get()) {
            return;
        }
        try {
            works.await();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /** Three nodes, of which the first has this disk and leads. */
    static TestCluster start(Path folder, HangingDisk disk, DiskConfig patience) throws Exception {
        return start(TestCluster.in(folder).founded(), disk, patience);
    }

    /** The same in a cluster of {@link #THREE} of which no node is started. */
    static TestCluster start(TestCluster cluster, HangingDisk disk, DiskConfig patience)
            throws Exception {
        cluster.withDisk(patience);
        cluster.start("node-1", disk);
        cluster.start("node-2");
        cluster.start("node-3");
        cluster.client.write(5);
        cluster.lead("node-1", 1);
        return cluster;
    }
}

package io.parterre.server;

import io.parterre.server.clock.ClockTrust;
import io.parterre.server.node.Replicas;
import io.parterre.server.rpc.ProgressClient;
import io.parterre.server.rpc.ReplicaDigests;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * The watches of an open node: its disk, the free space, its clock, and whether files and replicas
 * are whole. Safe for any thread.
 */
final class NodeWatches implements AutoCloseable {
    private final DiskWatch disk;
    private final SpaceWatch space;
    private final ClockWatch clock;
    private final Scrub scrub;
    private final Comparer comparer;

    /** Makes watches that do not run yet. */
    NodeWatches(
            Wiring wiring,
            ServerStore rows,
            Replicas hosted,
            ReplicaDigests digests,
            ProgressClient others,
            ManagerConnection talk,
            Consumer<StoreFailure> onFailure) {
        PartitionServerConfig config = wiring.config();
        LeadershipHandOver handOver = new LeadershipHandOver(hosted);
        space =
                new SpaceWatch(
                        config.diskSpace(),
                        wiring.space(),
                        new SpaceReserve(config.dataFolder()),
                        wiring.metrics(),
                        hosted.admission()::refuseGrowth,
                        hosted.admission()::limitEntries,
                        ServerThreads.newTimer("partition-space-watch"));
        disk =
                new DiskWatch(
                        config.disk(),
                        hosted,
                        rows,
                        wiring.nanoTicker(),
                        ThreadLocalRandom.current().nextDouble(),
                        wiring.metrics(),
                        () -> hosted.admission().refusesEntries() || space.isFull(),
                        handOver,
                        talk::changed,
                        onFailure,
                        ServerThreads.newTimer("partition-disk-watch"));
        clock =
                new ClockWatch(
                        hosted,
                        handOver,
                        wiring.nanoTicker(),
                        wiring.metrics(),
                        ServerThreads.newTimer("partition-clock-watch"));
        scrub =
                new Scrub(
                        config.damage(),
                        rows,
                        hosted,
                        wiring.metrics(),
                        ServerThreads.newIdleTimer("partition-scrub"));
        comparer =
                new Comparer(
                        config.compare(),
                        wiring.nodeId(),
                        config.version(),
                        hosted,
                        digests,
                        others,
                        wiring.metrics(),
                        talk::changed,
                        wiring.nanoTicker(),
                        ThreadLocalRandom.current()::nextDouble,
                        ServerThreads.newTimer("partition-compare"));
    }

    DiskWatch disk() {
        return disk;
    }

    SpaceWatch space() {
        return space;
    }

    ClockWatch clock() {
        return clock;
    }

    /** Starts the watches whose results the first report contains. */
    void startReported() {
        space.start();
        clock.start();
    }

    /** Starts the watches that need a link to the managers. */
    void startOthers() {
        disk.start();
        scrub.start();
        comparer.start();
    }

    /** Returns whether writes that take more room are refused. */
    boolean lacksRoom() {
        return space.refusesGrowth();
    }

    ClockTrust clockTrust() {
        return clock.trust();
    }

    /** Returns the reason why the node should not lead; empty: it may. */
    Optional<String> trouble() {
        return disk.trouble().or(clock::trouble);
    }

    @Override
    public void close() {
        disk.close();
        space.close();
        clock.close();
        scrub.close();
        comparer.close();
    }
}

package io.parterre.server.node;

import io.parterre.concurrent.Alarm;
import io.parterre.crash.CrashHook;
import io.parterre.range.NodeId;
import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.log.LogBufferRoom;
import io.parterre.server.members.MemberProgress;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.quarantine.Quarantines;
import io.parterre.server.raft.RaftConfig;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreConfig;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A node's replicas over a store and Raft logs in one folder, without services: no other node
 * brings it a copy.
 *
 * @param folder of the store, of the logs and of copies
 * @param scheduler its threads and its timer
 * @param onFailure told of what would end the node
 * @param clock its wall clock
 * @param nanoTicker time of all that it waits for
 * @param room for the logs of its groups
 * @param crash told of the moments that it passes
 * @param level of its cluster
 */
record SoleNode(
        NodeId nodeId,
        Path folder,
        ScheduledExecutorService scheduler,
        Consumer<StoreFailure> onFailure,
        InstantSource clock,
        LongSupplier nanoTicker,
        LogBufferRoom room,
        CrashHook<CrashPoint> crash,
        ClusterLevel level) {
    /** By the clocks of the machine, at the newest level. */
    SoleNode(
            NodeId nodeId,
            Path folder,
            ScheduledExecutorService scheduler,
            Consumer<StoreFailure> onFailure) {
        this(
                nodeId,
                folder,
                scheduler,
                onFailure,
                InstantSource.system(),
                System::nanoTime,
                LogBufferRoom.OF_PROCESS,
                CrashHook.none(),
                new ClusterLevel(FeatureLevel.NEWEST));
    }

    SoleNode withTime(InstantSource wallClock, LongSupplier ticker) {
        return new SoleNode(
                nodeId, folder, scheduler, onFailure, wallClock, ticker, room, crash, level);
    }

    SoleNode withRoom(LogBufferRoom other) {
        return new SoleNode(
                nodeId, folder, scheduler, onFailure, clock, nanoTicker, other, crash, level);
    }

    SoleNode withCrash(CrashHook<CrashPoint> other) {
        return new SoleNode(
                nodeId, folder, scheduler, onFailure, clock, nanoTicker, room, other, level);
    }

    SoleNode withLevel(ClusterLevel other) {
        return new SoleNode(
                nodeId, folder, scheduler, onFailure, clock, nanoTicker, room, crash, other);
    }

    ServerStore openStore(PartitionServerMetrics metrics) throws IOException {
        return ServerStore.open(
                folder.resolve("rows"),
                StoreConfig.DEFAULT,
                scheduler,
                System::nanoTime,
                metrics,
                onFailure);
    }

    /** Replicas that have started. */
    Replicas start(ServerStore store, PartitionServerMetrics metrics) throws IOException {
        Path logs = folder.resolve("raft");
        Replicas replicas =
                new Replicas(
                        RaftConfig.DEFAULT,
                        new NodeMeans(
                                nodeId,
                                store,
                                new ReplicaFolders(
                                        logs,
                                        folder.resolve("installs"),
                                        Optional.empty(),
                                        new Quarantines(logs, "")),
                                level,
                                metrics,
                                scheduler,
                                clock,
                                nanoTicker,
                                Alarm.of(scheduler, scheduler),
                                crash,
                                onFailure,
                                () -> {}),
                        room,
                        (node, serviceAddress, rangeId, sink) -> {
                            throw new IOException("no other node");
                        },
                        MemberProgress.NONE,
                        1);
        replicas.start(Optional.empty());
        return replicas;
    }
}

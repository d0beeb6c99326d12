package io.parterre.server;

import io.parterre.server.log.LogBufferRoom;
import io.parterre.server.node.NodeMeans;
import io.parterre.server.node.ReplicaFolders;
import io.parterre.server.node.Replicas;
import io.parterre.server.quarantine.HeldLogs;
import io.parterre.server.quarantine.Quarantines;
import io.parterre.server.rpc.CopyClient;
import io.parterre.server.rpc.ProgressClient;
import io.parterre.server.store.DataFolder;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes the replicas of a node. */
final class ReplicaWiring {
    private ReplicaWiring() {}

    /** See {@link Replicas} and {@link NodeMeans} for the parameters. */
    static Replicas replicas(
            Wiring wiring,
            ServerStore rows,
            ProgressClient progress,
            ServerThreads threads,
            Consumer<StoreFailure> onFailure,
            Runnable onChange) {
        PartitionServerConfig config = wiring.config();
        DataFolder folder = wiring.folder();
        return new Replicas(
                config.raft(),
                new NodeMeans(
                        wiring.nodeId(),
                        rows,
                        new ReplicaFolders(
                                folder.raft(),
                                folder.installs(),
                                config.damage().rebuild()
                                        ? Optional.of(new HeldLogs(folder.raft(), folder.aside()))
                                        : Optional.empty(),
                                new Quarantines(folder.raft(), config.version())),
                        wiring.level().known(),
                        wiring.metrics(),
                        threads.workers(),
                        wiring.clock(),
                        wiring.nanoTicker(),
                        threads.alarm(),
                        wiring.crash(),
                        onFailure,
                        onChange),
                LogBufferRoom.OF_PROCESS,
                new CopyClient(
                        wiring.nodeId(),
                        wiring.nodes(),
                        config.copy(),
                        threads.timer(),
                        wiring.nanoTicker()),
                progress,
                config.copy().installsMax());
    }
}

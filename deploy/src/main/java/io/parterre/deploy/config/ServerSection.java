package io.parterre.deploy.config;

import io.parterre.server.PartitionServerConfig;
import io.parterre.server.raft.RaftConfig;
import io.parterre.server.rpc.RpcConfig;
import io.parterre.server.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;

/** Keys of the partition server, see {@link PartitionServerConfig}. */
public record ServerSection(
        String zone,
        Duration heartbeatInterval,
        StoreConfig store,
        RaftConfig raft,
        RpcConfig rpc) {
    static final ServerSection DEFAULT =
            new ServerSection(
                    "",
                    Duration.ofSeconds(1),
                    StoreConfig.DEFAULT,
                    RaftConfig.DEFAULT,
                    RpcConfig.DEFAULT);

    public ServerSection {
        if (heartbeatInterval.isNegative() || heartbeatInterval.isZero()) {
            throw new IllegalArgumentException(
                    "heartbeatInterval: " + heartbeatInterval + " (expected: above 0)");
        }
    }

    /** What the server is told. */
    public PartitionServerConfig role(Path dataFolder, String serviceAddress, String version) {
        return PartitionServerConfig.of(dataFolder, serviceAddress)
                .withLabels(zone, version)
                .withHeartbeatInterval(heartbeatInterval)
                .withStore(store)
                .withRaft(raft)
                .withRpc(rpc);
    }
}

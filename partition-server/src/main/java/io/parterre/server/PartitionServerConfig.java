package io.parterre.server;

import io.parterre.server.raft.RaftConfig;
import io.parterre.server.rpc.CopyConfig;
import io.parterre.server.rpc.RpcConfig;
import io.parterre.server.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What a partition server is told when it starts. Sizes are in bytes.
 *
 * @param dataFolder holds everything the node keeps; belongs to this node alone
 * @param nodeId name of a node without data; absent: a random one. A node with data keeps its own
 * @param serviceAddress host:port under which front ends and other nodes reach its services
 * @param zone failure domain, may be empty
 * @param version of the software, shown to operators
 * @param heartbeatInterval time between two reports to the partition manager
 */
public record PartitionServerConfig(
        Path dataFolder,
        Optional<String> nodeId,
        String serviceAddress,
        String zone,
        String version,
        Duration heartbeatInterval,
        StoreConfig store,
        RaftConfig raft,
        RpcConfig rpc,
        CopyConfig copy) {
    public PartitionServerConfig {
        if (heartbeatInterval.isNegative() || heartbeatInterval.isZero()) {
            throw new IllegalArgumentException(
                    "heartbeatInterval: " + heartbeatInterval + " (expected: positive)");
        }
        if (serviceAddress.isBlank()) {
            throw new IllegalArgumentException("serviceAddress: empty (expected: host:port)");
        }
    }

    /** Defaults for everything that has one. */
    public static PartitionServerConfig of(Path dataFolder, String serviceAddress) {
        return new PartitionServerConfig(
                dataFolder,
                Optional.empty(),
                serviceAddress,
                "",
                "",
                Duration.ofSeconds(1),
                StoreConfig.DEFAULT,
                RaftConfig.DEFAULT,
                RpcConfig.DEFAULT,
                CopyConfig.DEFAULT);
    }

    public PartitionServerConfig withNodeId(String value) {
        return new PartitionServerConfig(
                dataFolder,
                Optional.of(value),
                serviceAddress,
                zone,
                version,
                heartbeatInterval,
                store,
                raft,
                rpc,
                copy);
    }

    /** With what operators see of the node. */
    public PartitionServerConfig withLabels(String newZone, String newVersion) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                newZone,
                newVersion,
                heartbeatInterval,
                store,
                raft,
                rpc,
                copy);
    }

    public PartitionServerConfig withHeartbeatInterval(Duration value) {
        return new PartitionServerConfig(
                dataFolder, nodeId, serviceAddress, zone, version, value, store, raft, rpc, copy);
    }

    public PartitionServerConfig withStore(StoreConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                heartbeatInterval,
                value,
                raft,
                rpc,
                copy);
    }

    public PartitionServerConfig withRaft(RaftConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                heartbeatInterval,
                store,
                value,
                rpc,
                copy);
    }

    public PartitionServerConfig withRpc(RpcConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                heartbeatInterval,
                store,
                raft,
                value,
                copy);
    }

    public PartitionServerConfig withCopy(CopyConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                heartbeatInterval,
                store,
                raft,
                rpc,
                value);
    }
}

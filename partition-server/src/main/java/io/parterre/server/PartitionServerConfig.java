package io.parterre.server;

import io.parterre.server.raft.RaftConfig;
import io.parterre.server.rpc.CompareConfig;
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
 * @param advertisedHost host by which other servers reach its Raft server; empty: the one it
 *     listens on
 * @param heartbeatInterval time between two reports to the partition manager
 */
public record PartitionServerConfig(
        Path dataFolder,
        Optional<String> nodeId,
        String serviceAddress,
        String zone,
        String version,
        String advertisedHost,
        Duration heartbeatInterval,
        StoreConfig store,
        RaftConfig raft,
        RpcConfig rpc,
        CopyConfig copy,
        DamageConfig damage,
        DiskConfig disk,
        DiskSpaceConfig diskSpace,
        CompareConfig compare) {
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
                "",
                Duration.ofSeconds(1),
                StoreConfig.DEFAULT,
                RaftConfig.DEFAULT,
                RpcConfig.DEFAULT,
                CopyConfig.DEFAULT,
                DamageConfig.DEFAULT,
                DiskConfig.DEFAULT,
                DiskSpaceConfig.DEFAULT,
                CompareConfig.DEFAULT);
    }

    public PartitionServerConfig withNodeId(String value) {
        return new PartitionServerConfig(
                dataFolder,
                Optional.of(value),
                serviceAddress,
                zone,
                version,
                advertisedHost,
                heartbeatInterval,
                store,
                raft,
                rpc,
                copy,
                damage,
                disk,
                diskSpace,
                compare);
    }

    /** With what operators see of the node. */
    public PartitionServerConfig withLabels(String newZone, String newVersion) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                newZone,
                newVersion,
                advertisedHost,
                heartbeatInterval,
                store,
                raft,
                rpc,
                copy,
                damage,
                disk,
                diskSpace,
                compare);
    }

    public PartitionServerConfig withAdvertisedHost(String value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                value,
                heartbeatInterval,
                store,
                raft,
                rpc,
                copy,
                damage,
                disk,
                diskSpace,
                compare);
    }

    /** host:port by which other servers reach the Raft server that listens on this host:port. */
    String advertisedRaft(String listenAddress) {
        return advertisedHost.isEmpty()
                ? listenAddress
                : advertisedHost + listenAddress.substring(listenAddress.lastIndexOf(':'));
    }

    public PartitionServerConfig withHeartbeatInterval(Duration value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                advertisedHost,
                value,
                store,
                raft,
                rpc,
                copy,
                damage,
                disk,
                diskSpace,
                compare);
    }

    public PartitionServerConfig withStore(StoreConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                advertisedHost,
                heartbeatInterval,
                value,
                raft,
                rpc,
                copy,
                damage,
                disk,
                diskSpace,
                compare);
    }

    public PartitionServerConfig withRaft(RaftConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                advertisedHost,
                heartbeatInterval,
                store,
                value,
                rpc,
                copy,
                damage,
                disk,
                diskSpace,
                compare);
    }

    public PartitionServerConfig withRpc(RpcConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                advertisedHost,
                heartbeatInterval,
                store,
                raft,
                value,
                copy,
                damage,
                disk,
                diskSpace,
                compare);
    }

    public PartitionServerConfig withCopy(CopyConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                advertisedHost,
                heartbeatInterval,
                store,
                raft,
                rpc,
                value,
                damage,
                disk,
                diskSpace,
                compare);
    }

    public PartitionServerConfig withDisk(DiskConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                advertisedHost,
                heartbeatInterval,
                store,
                raft,
                rpc,
                copy,
                damage,
                value,
                diskSpace,
                compare);
    }

    public PartitionServerConfig withDiskSpace(DiskSpaceConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                advertisedHost,
                heartbeatInterval,
                store,
                raft,
                rpc,
                copy,
                damage,
                disk,
                value,
                compare);
    }

    public PartitionServerConfig withDamage(DamageConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                advertisedHost,
                heartbeatInterval,
                store,
                raft,
                rpc,
                copy,
                value,
                disk,
                diskSpace,
                compare);
    }

    public PartitionServerConfig withCompare(CompareConfig value) {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                zone,
                version,
                advertisedHost,
                heartbeatInterval,
                store,
                raft,
                rpc,
                copy,
                damage,
                disk,
                diskSpace,
                value);
    }
}

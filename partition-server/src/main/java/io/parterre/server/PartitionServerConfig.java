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
 * Settings of a partition server at its start. Sizes are in bytes. Immutable.
 *
 * @param dataFolder holds everything the node keeps; belongs to this node alone
 * @param nodeId id of a node without data; absent: a random one. A node with data keeps its own id
 * @param serviceAddress host:port under which front ends and other nodes reach its services
 * @param zone failure domain, may be empty
 * @param version version of the software, shown to operators
 * @param advertisedHost host by which other servers reach its Raft server; empty: the host that the
 *     Raft server listens on
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
        CompareConfig compare,
        StopConfig stop) {
    public PartitionServerConfig {
        if (heartbeatInterval.isNegative() || heartbeatInterval.isZero()) {
            throw new IllegalArgumentException(
                    "heartbeatInterval: " + heartbeatInterval + " (expected: positive)");
        }
        if (serviceAddress.isBlank()) {
            throw new IllegalArgumentException("serviceAddress: empty (expected: host:port)");
        }
    }

    /**
     * Returns the host:port by which other servers reach the Raft server that listens on this
     * host:port.
     */
    String advertisedRaft(String listenAddress) {
        return advertisedHost.isEmpty()
                ? listenAddress
                : advertisedHost + listenAddress.substring(listenAddress.lastIndexOf(':'));
    }
}

package io.parterre.deploy.config;

import io.parterre.range.NodeId;
import io.parterre.server.DamageConfig;
import io.parterre.server.DiskConfig;
import io.parterre.server.DiskSpaceConfig;
import io.parterre.server.PartitionServerConfig;
import io.parterre.server.StopConfig;
import io.parterre.server.raft.RaftConfig;
import io.parterre.server.rpc.CompareConfig;
import io.parterre.server.rpc.CopyConfig;
import io.parterre.server.rpc.RpcConfig;
import io.parterre.server.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Keys of the partition server, see {@link PartitionServerConfig}.
 *
 * @param id id for a new data folder; empty: a random one
 * @param advertisedHost host at which others reach the server; empty: the one on which it listens
 */
public record ServerSection(
        String id,
        String zone,
        String advertisedHost,
        ListenSection service,
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
    static final ServerSection DEFAULT =
            new ServerSection(
                    "",
                    "",
                    "",
                    ListenSection.DEFAULT,
                    Duration.ofSeconds(1),
                    StoreConfig.DEFAULT,
                    RaftConfig.DEFAULT,
                    RpcConfig.DEFAULT,
                    CopyConfig.DEFAULT,
                    DamageConfig.DEFAULT,
                    DiskConfig.DEFAULT,
                    DiskSpaceConfig.DEFAULT,
                    CompareConfig.DEFAULT,
                    StopConfig.DEFAULT);

    public ServerSection {
        if (!id.isEmpty()) {
            new NodeId(id);
        }
        if (heartbeatInterval.isNegative() || heartbeatInterval.isZero()) {
            throw new IllegalArgumentException(
                    "heartbeatInterval: " + heartbeatInterval + " (expected: above 0)");
        }
    }

    /**
     * Returns the configuration of a server of a cluster.
     *
     * @param storeFiles most files that the store may have open
     */
    public PartitionServerConfig role(
            Path dataFolder, String serviceAddress, String version, int storeFiles) {
        return role(dataFolder, serviceAddress, version, storeFiles, damage, diskSpace, stop);
    }

    /** Returns the configuration of the server of a node without others. */
    public PartitionServerConfig roleOfOneNode(
            Path dataFolder, String serviceAddress, String version, int storeFiles) {
        return role(
                dataFolder,
                serviceAddress,
                version,
                storeFiles,
                damage.withoutRebuild(),
                diskSpace.ofOneNode(),
                stop.ofOneNode());
    }

    private PartitionServerConfig role(
            Path dataFolder,
            String serviceAddress,
            String version,
            int storeFiles,
            DamageConfig ofDamage,
            DiskSpaceConfig ofSpace,
            StopConfig ofStop) {
        return new PartitionServerConfig(
                dataFolder,
                id.isEmpty() ? Optional.empty() : Optional.of(id),
                serviceAddress,
                zone,
                version,
                advertisedHost,
                heartbeatInterval,
                store.withOpenFilesAtMost(storeFiles),
                raft,
                rpc,
                copy,
                ofDamage,
                disk,
                ofSpace,
                compare,
                ofStop);
    }

    /** Returns where the services listen. */
    public HostPort listens() {
        return new HostPort(service.host(), service.port());
    }

    /** Returns the address at which front ends and other servers reach the service. */
    public HostPort advertised() {
        return new HostPort(
                advertisedHost.isEmpty() ? service.host() : advertisedHost, service.port());
    }
}

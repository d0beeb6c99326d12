package io.parterre.server;

import io.parterre.server.raft.RaftConfig;
import io.parterre.server.rpc.CompareConfig;
import io.parterre.server.rpc.CopyConfig;
import io.parterre.server.rpc.RpcConfig;
import io.parterre.server.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What a server of a test is told when it starts; what is not set is as by default. */
final class TestConfig {
    private final Path dataFolder;
    private final String serviceAddress;
    private Optional<String> nodeId = Optional.empty();
    private Duration heartbeatInterval = Duration.ofSeconds(1);
    private StoreConfig store = StoreConfig.DEFAULT;
    private RaftConfig raft = RaftConfig.DEFAULT;
    private RpcConfig rpc = RpcConfig.DEFAULT;
    private CopyConfig copy = CopyConfig.DEFAULT;
    private DamageConfig damage = DamageConfig.DEFAULT;
    private DiskConfig disk = DiskConfig.DEFAULT;
    private DiskSpaceConfig diskSpace = DiskSpaceConfig.DEFAULT;
    private CompareConfig compare = CompareConfig.DEFAULT;
    private StopConfig stop = StopConfig.DEFAULT;

    TestConfig(Path dataFolder, String serviceAddress) {
        this.dataFolder = dataFolder;
        this.serviceAddress = serviceAddress;
    }

    Optional<String> nodeId() {
        return nodeId;
    }

    RaftConfig raft() {
        return raft;
    }

    TestConfig withNodeId(String value) {
        nodeId = Optional.of(value);
        return this;
    }

    TestConfig withHeartbeatInterval(Duration value) {
        heartbeatInterval = value;
        return this;
    }

    TestConfig withStore(StoreConfig value) {
        store = value;
        return this;
    }

    TestConfig withRaft(RaftConfig value) {
        raft = value;
        return this;
    }

    TestConfig withRpc(RpcConfig value) {
        rpc = value;
        return this;
    }

    TestConfig withCopy(CopyConfig value) {
        copy = value;
        return this;
    }

    TestConfig withDamage(DamageConfig value) {
        damage = value;
        return this;
    }

    TestConfig withDisk(DiskConfig value) {
        disk = value;
        return this;
    }

    TestConfig withDiskSpace(DiskSpaceConfig value) {
        diskSpace = value;
        return this;
    }

    TestConfig withCompare(CompareConfig value) {
        compare = value;
        return this;
    }

    TestConfig withStop(StopConfig value) {
        stop = value;
        return this;
    }

    PartitionServerConfig build() {
        return new PartitionServerConfig(
                dataFolder,
                nodeId,
                serviceAddress,
                "",
                "",
                "",
                heartbeatInterval,
                store,
                raft,
                rpc,
                copy,
                damage,
                disk,
                diskSpace,
                compare,
                stop);
    }
}

package io.parterre.manager.raft;

import io.parterre.raftlink.GuardedRpcType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * Settings of the managers' Raft group: entries are few and small, memory is small, nothing stays
 * unsynced.
 */
final class MapGroupProperties {
    /** Far above any command: the largest holds two keys of an account. */
    static final int ENTRY_BYTES_MAX = 256 * 1024;

    private static final SizeInBytes MEBIBYTE = SizeInBytes.valueOf("1MB");

    private MapGroupProperties() {}

    static RaftProperties of(MapGroupConfig config) {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, new GuardedRpcType());
        place(properties, config);
        elections(properties, config);
        log(properties);
        snapshots(properties, config.snapshotEntries());
        return properties;
    }

    /** Returns where Ratis keeps its logs. */
    static Path logs(MapGroupConfig config) {
        return config.dataDirectory().resolve("raft");
    }

    private static void place(RaftProperties properties, MapGroupConfig config) {
        RaftServerConfigKeys.setStorageDir(properties, List.of(logs(config).toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(
                properties, config.dataDirectory().resolve("removed").toFile());
        GrpcConfigKeys.Server.setHost(properties, config.listens().host());
        GrpcConfigKeys.Server.setPort(properties, config.listens().port());
        GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf("2MB"));
        // gRPC's shared event loops are used, because Ratis takes a pause of 2 s to close its own.
    }

    private static void elections(RaftProperties properties, MapGroupConfig config) {
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(config.electionTimeoutMin()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(config.electionTimeoutMax()));
        if (config.members().size() == 1) {
            // There are no other members to wait for.
            RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(
                    properties, TimeDuration.valueOf(1, TimeUnit.MILLISECONDS));
            RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(
                    properties, TimeDuration.valueOf(2, TimeUnit.MILLISECONDS));
        }
        RaftServerConfigKeys.LeaderElection.setPreVote(properties, true);
        RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(properties, false);
        // A long pause of the machine must not close the server for good.
        RaftServerConfigKeys.setCloseThreshold(
                properties, TimeDuration.valueOf(10, TimeUnit.MINUTES));
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void log(RaftProperties properties) {
        SizeInBytes entry = SizeInBytes.valueOf(ENTRY_BYTES_MAX);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, entry);
        // The default pause grows to 5 s, but a manager that returns must count soon.
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(
                properties, "1ms,10, 200ms,20, 500ms,1000000");
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, MEBIBYTE);
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf("8MB"));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf("256KB"));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf("8MB"));
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, false);
        RaftServerConfigKeys.Log.setUseMemory(properties, false);
        RaftServerConfigKeys.Log.setCorruptionPolicy(
                properties, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, 1_000);
        RaftServerConfigKeys.Write.setElementLimit(properties, 2_000);
        RaftServerConfigKeys.Write.setByteLimit(properties, SizeInBytes.valueOf("16MB"));
        RaftServerConfigKeys.RetryCache.setExpiryTime(
                properties, TimeDuration.valueOf(1, TimeUnit.SECONDS));
    }

    private static void snapshots(RaftProperties properties, int entries) {
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, entries);
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 0);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, 2);
        // The log alone restores the map, so a stop need not wait for a snapshot.
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(properties, false);
        // A snapshot is one small file, so Ratis's own transfer suffices for a manager that fell
        // behind.
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, true);
    }
}

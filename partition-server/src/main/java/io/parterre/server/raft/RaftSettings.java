package io.parterre.server.raft;

import io.parterre.raftlink.GuardedRpcType;
import io.parterre.raftlink.LeaseTimes;
import io.parterre.server.log.LogMemory;
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

/** Ratis's settings, and the reason for each difference from the default. */
public final class RaftSettings {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    /** Largest entry that Ratis accepts; a larger one would make the leader step down. */
    static final int APPEND_BYTES_MAX = 6 * MIB;

    /** Log buffer of each group, outside of the heap. */
    static final int LOG_BUFFER_BYTES = APPEND_BYTES_MAX + 64 * KIB;

    /** Largest command: an entry less what Ratis and the entry's own header add. */
    static final int COMMAND_BYTES_MAX = APPEND_BYTES_MAX - 64 * KIB;

    /**
     * Pauses of the leader before it tries again to reach a member, by the number of failures.
     * Ratis's own pause grows to 5 s. A member that returns would miss the log for so long, and the
     * range would refuse all writes if it lost another member meanwhile.
     */
    private static final String APPENDER_RETRIES = "1ms,10, 200ms,20, 500ms,1000000";

    /** Longest lease of a leader, as a part of the shortest election timeout. */
    private static final double LEASE_RATIO_MAX = 0.8;

    /**
     * Part of the lease, as a divisor, in which the leader does not read. It allows for clocks that
     * run at different speeds, and for unnoticed leaps of the monotonic clock.
     */
    private static final int MARGIN_FRACTION = 6;

    private RaftSettings() {}

    /** Returns the longest lease that a leader may have asked a member for. */
    static Duration leaseMax(Duration electionTimeoutMin) {
        return Duration.ofNanos((long) (electionTimeoutMin.toNanos() * LEASE_RATIO_MAX));
    }

    /** Returns for how long followers elect nobody else. */
    static LeaseTimes leases(RaftConfig config) {
        return new LeaseTimes(config.lease(), leaseMax(config.electionTimeoutMin()));
    }

    private static Duration margin(RaftConfig config) {
        return config.lease().dividedBy(MARGIN_FRACTION);
    }

    /**
     * Returns for how long a leader may read after it sent the last message that a majority has
     * answered.
     */
    public static Duration readLease(RaftConfig config) {
        return config.lease().minus(margin(config));
    }

    /**
     * Returns the largest leap of the monotonic clock that may go unnoticed twice within a lease.
     */
    public static Duration leapTolerance(RaftConfig config) {
        return margin(config).dividedBy(2).minusMillis(1);
    }

    static RaftProperties of(RaftConfig config, LogMemory memory, Path folder) {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, new GuardedRpcType());
        // The default folders are in places that the system cleans up.
        RaftServerConfigKeys.setStorageDir(properties, List.of(folder.toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(
                properties, folder.resolveSibling(folder.getFileName() + "-removed").toFile());
        // A long pause of the machine must not close the server for good.
        RaftServerConfigKeys.setCloseThreshold(
                properties, TimeDuration.valueOf(10, TimeUnit.MINUTES));
        network(config, properties);
        elections(config, properties);
        log(memory, properties);
        snapshots(properties);
        return properties;
    }

    private static void network(RaftConfig config, RaftProperties properties) {
        GrpcConfigKeys.Server.setHost(properties, config.host());
        GrpcConfigKeys.Server.setPort(properties, config.port());
        GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(8 * MIB));
    }

    private static void elections(RaftConfig config, RaftProperties properties) {
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, millis(config.electionTimeoutMin()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, millis(config.electionTimeoutMax()));
        // After a restart of all members, nobody stands for election before the others are there.
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(
                properties, millis(config.firstElectionMin()));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(
                properties, millis(config.firstElectionMax()));
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
                properties, TimeDuration.valueOf(10, TimeUnit.SECONDS));
        // ReadPermission checks the lease; Ratis's fallback without a lease is not linearizable.
        RaftServerConfigKeys.Read.setOption(
                properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, true);
        RaftServerConfigKeys.Read.setLeaderLeaseTimeoutRatio(
                properties,
                (double) readLease(config).toMillis() / config.electionTimeoutMin().toMillis());
        RaftServerConfigKeys.LeaderElection.setPreVote(properties, true);
        RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(properties, false);
    }

    private static void log(LogMemory memory, RaftProperties properties) {
        // Compose costs a hand-off per append, metadata an entry per commit.
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(
                properties, SizeInBytes.valueOf(APPEND_BYTES_MAX));
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, APPENDER_RETRIES);
        RaftServerConfigKeys.Log.setWriteBufferSize(
                properties, SizeInBytes.valueOf(LOG_BUFFER_BYTES));
        // A log is dropped by whole segments. An entry may be larger than a segment.
        SizeInBytes segment = SizeInBytes.valueOf(memory.segmentBytes());
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, segment);
        RaftServerConfigKeys.Log.setPreallocatedSize(
                properties, SizeInBytes.valueOf(Math.min(MIB, memory.segmentBytes())));
        // Heap of each group, beside the open segment.
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 1);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, segment);
        RaftServerConfigKeys.Write.setElementLimit(properties, 1_000);
        RaftServerConfigKeys.Write.setByteLimit(properties, SizeInBytes.valueOf(64 * MIB));
        // The range itself remembers outcomes.
        RaftServerConfigKeys.RetryCache.setExpiryTime(
                properties, TimeDuration.valueOf(1, TimeUnit.SECONDS));
        // The other policy continues with the entries before the damage, in closed segments too.
        // The replica would then forget what it acknowledged, and vote as if it had not. A write
        // cut short by a power loss is removed before; see ReplicaFolders.
        RaftServerConfigKeys.Log.setCorruptionPolicy(
                properties, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
        // A member that is away must not keep the log of the others from being dropped.
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        // LogRetention has decided what may be dropped.
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, 0);
    }

    private static void snapshots(RaftProperties properties) {
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        // Number of entries after which Ratis asks for a snapshot; the answer is only looked up.
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, 16);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(properties, false);
    }

    private static TimeDuration millis(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}

package io.parterre.manager;

import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import io.parterre.crash.CrashHook;
import io.parterre.manager.entry.GroupEntry;
import io.parterre.manager.lead.DeltaLog;
import io.parterre.manager.lead.GroupEvents;
import io.parterre.manager.lead.LeaderClock;
import io.parterre.manager.lead.LeaderService;
import io.parterre.manager.lead.PartitionManagerMetrics;
import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.raft.LoneManager;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.manager.raft.MapCrashPoint;
import io.parterre.manager.raft.MapGroup;
import io.parterre.manager.raft.StandingFile;
import io.parterre.manager.raft.VouchedFile;
import io.parterre.manager.reason.ReasonText;
import io.parterre.manager.rpc.OperatorService;
import io.parterre.manager.rpc.PartitionManagerService;
import io.parterre.manager.rpc.PeerChannels;
import io.parterre.manager.rpc.PeerClient;
import io.parterre.manager.rpc.PeerService;
import io.parterre.manager.rpc.StrictRequests;
import io.parterre.manager.secret.KeyRing;
import io.parterre.release.LevelKeeper;
import io.parterre.release.Release;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running partition manager: its replica of the map, its leadership if it has it, its service.
 */
public final class PartitionManager implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionManager.class);

    /** Things named by the changes kept for watchers; some megabytes at the most. */
    private static final int DELTA_LOG_SIZE_MAX = 50_000;

    /** As long as the keys of the service that clients know. */
    private static final int KEY_BYTES = 64;

    private final MapGroup group;
    private final LeaderService lead;
    private final GroupEntry entry;
    private final List<BindableService> services;

    private PartitionManager(
            MapGroup group, LeaderService lead, GroupEntry entry, Release release, KeyRing keys) {
        this.group = group;
        this.lead = lead;
        this.entry = entry;
        SecureRandom random = new SecureRandom();
        this.services =
                List.of(
                        new PartitionManagerService(lead, keys),
                        StrictRequests.of(new OperatorService(lead, keys, () -> newKey(random))),
                        new PeerService(entry, lead, release, keys.ids()));
    }

    /**
     * Restores the map and joins the other managers. One whose folder is empty first finds out
     * whether there is a cluster: it is started when this returns, but in no group yet.
     *
     * @param peers ways to the services of the other managers
     * @param release that this process runs
     * @param levelKeeper told which feature level the cluster has reached, before anything of it
     *     but the log entry is written
     * @param onFailure told at most once, from any thread, when the process must end: the log
     *     cannot be written, or the map not be brought forward
     * @throws IOException if the data cannot be read or the Raft address not be bound
     */
    public static PartitionManager start(
            PartitionManagerConfig config,
            PeerChannels peers,
            InstantSource clock,
            MeterRegistry meters,
            Release release,
            LevelKeeper levelKeeper,
            Consumer<Throwable> onFailure)
            throws IOException {
        return start(
                config,
                peers,
                new LeaderClock(clock, System::nanoTime),
                meters,
                release,
                levelKeeper,
                onFailure);
    }

    /** With a clock of which a test sets both parts. */
    static PartitionManager start(
            PartitionManagerConfig config,
            PeerChannels peers,
            LeaderClock clock,
            MeterRegistry meters,
            Release release,
            LevelKeeper levelKeeper,
            Consumer<Throwable> onFailure)
            throws IOException {
        CrashHook<MapCrashPoint> crash = CrashHook.ofProcess(MapCrashPoint.class);
        new LoneManager(config.dataDirectory()).requireWhole();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        failure.thenAccept(onFailure);
        GroupEvents events = new GroupEvents(new DeltaLog(DELTA_LOG_SIZE_MAX));
        MapGroup group =
                new MapGroup(config.group(), events, config.proposalTimeout(), crash, peers.raft());
        GroupEntry entry =
                new GroupEntry(
                        config.self().manager(),
                        config.members().stream().map(ManagerMember::manager).toList(),
                        config.bootstrapWithout(),
                        group,
                        new StandingFile(config.dataDirectory()),
                        new VouchedFile(config.dataDirectory()),
                        new PeerClient(peers, release),
                        UUID::randomUUID,
                        config.timings().tick(),
                        failure::complete);
        events.onMembers(entry::members);
        events.keepLevelBy(levelKeeper);
        LeaderService lead =
                new LeaderService(
                        group,
                        events,
                        config.lead(),
                        config.nodeId(),
                        release,
                        entry::releases,
                        config.keyRing(),
                        entry::keyHoldings,
                        clock,
                        () -> new ClusterId(UUID.randomUUID().toString()),
                        new PartitionManagerMetrics(meters, group::map));
        PartitionManager manager =
                new PartitionManager(group, lead, entry, release, config.keyRing());
        try {
            entry.start();
        } catch (IOException | RuntimeException e) {
            manager.close();
            throw e;
        }
        // The map is restored behind this; the leader tells of it when it has it.
        LOG.info("partition manager started nodeId={}", config.nodeId());
        return manager;
    }

    /** Completes when this manager leads for the first time and its accounts exist. */
    public CompletableFuture<Void> ready() {
        return lead.ready();
    }

    private static AccountKey newKey(SecureRandom random) {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return AccountKey.of(key);
    }

    /** Everything to be served; none of it blocks, so it may run on a direct executor. */
    public List<BindableService> services() {
        return services;
    }

    /** What it lacks to serve, or to send callers to who does; empty: nothing. */
    public Optional<String> missing() {
        return entry.missing().or(() -> lead.unreadable().map(ReasonText::of));
    }

    /**
     * Has another manager lead, if this one does and there are others. Blocks, not much longer than
     * the time given; call it before closing.
     */
    public void handOver(Duration timeout) {
        group.handOver(timeout);
    }

    /** Ends the watches and leaves the group; what was answered is on disk already. */
    @Override
    public void close() {
        entry.close();
        lead.close();
        try {
            group.close();
        } catch (IOException e) {
            LOG.warn("partition manager closed uncleanly, nothing is lost", e);
        }
    }
}

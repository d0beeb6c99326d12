package io.parterre.manager;

import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import io.parterre.crash.CrashHook;
import io.parterre.manager.entry.GroupEntry;
import io.parterre.manager.lead.DeltaLog;
import io.parterre.manager.lead.GroupEvents;
import io.parterre.manager.lead.LeaderClock;
import io.parterre.manager.lead.LeaderService;
import io.parterre.manager.lead.Leadership;
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
 * A running partition manager: its replica of the map, its work while it leads, and its services.
 * Thread-safe.
 */
public final class PartitionManager implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionManager.class);

    /** Upper bound of the values in the changes kept for watchers: some megabytes at most. */
    private static final int DELTA_LOG_SIZE_MAX = 50_000;

    /** The length of the service's keys that clients know. */
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
     * Restores the map and joins the other managers. A manager with an empty folder first finds out
     * whether a cluster exists: it is started when this returns, but in no group yet.
     *
     * @param peers connections to the services of the other managers
     * @param release that this process runs
     * @param levelKeeper stores the cluster's feature level, before anything of that level is
     *     written except its log entry
     * @param onFailure called at most once, on any thread, when the process must end because the
     *     log cannot be written, or an entry cannot be applied
     * @throws IOException if the data cannot be read or the Raft address cannot be bound
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

    /** Starts with a clock of which a test sets both parts. */
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
        PartitionManagerMetrics metrics = new PartitionManagerMetrics(meters, group::map);
        Leadership leadership =
                new Leadership(
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
                        metrics);
        LeaderService lead = new LeaderService(leadership, group, config.lead(), metrics);
        PartitionManager manager =
                new PartitionManager(group, lead, entry, release, config.keyRing());
        try {
            entry.start();
        } catch (IOException | RuntimeException e) {
            manager.close();
            throw e;
        }
        // The map may still be in restoration. The leader logs it once it has it.
        LOG.info("partition manager started nodeId={}", config.nodeId());
        return manager;
    }

    /** Completes once this manager has led for the first time and its accounts exist. */
    public CompletableFuture<Void> ready() {
        return lead.ready();
    }

    private static AccountKey newKey(SecureRandom random) {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return AccountKey.of(key);
    }

    /** Returns all services. None of their methods blocks, so they may run on a direct executor. */
    public List<BindableService> services() {
        return services;
    }

    /**
     * Returns what this manager lacks to serve, or to redirect callers to the leading one; empty if
     * nothing.
     */
    public Optional<String> missing() {
        return entry.missing().or(() -> lead.unreadable().map(ReasonText::of));
    }

    /**
     * Transfers leadership, if this manager leads and there are others. Blocks for at most twice
     * the given time. To be called before closing.
     */
    public void handOver(Duration timeout) {
        group.handOver(timeout);
    }

    /** Ends the watches and leaves the group. Everything that was answered is on disk already. */
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

package io.parterre.server;

import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.crash.CrashHook;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.Node;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.LevelKeeper;
import io.parterre.server.change.FollowerState;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.raft.HeldLogs;
import io.parterre.server.raft.LogBufferRoom;
import io.parterre.server.raft.Quarantines;
import io.parterre.server.raft.Replica;
import io.parterre.server.raft.ReplicaFolders;
import io.parterre.server.raft.Replicas;
import io.parterre.server.rpc.CopyClient;
import io.parterre.server.rpc.NodeChannels;
import io.parterre.server.rpc.NodeServer;
import io.parterre.server.rpc.ProgressClient;
import io.parterre.server.rpc.RangeServer;
import io.parterre.server.rpc.ReplicaDigests;
import io.parterre.server.store.DamagedStoreException;
import io.parterre.server.store.DataFolder;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running partition server: its store, its replicas, its service and its talk with the manager.
 * Safe for any thread.
 */
public final class PartitionServer implements AutoCloseable {
    /** Largest message of the RangeService; whoever serves or calls it has to allow this much. */
    public static final int MESSAGE_BYTES_MAX = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(PartitionServer.class);
    private static final Duration LEASE_NOTE_INTERVAL = Duration.ofMillis(500);
    private static final Duration RAFT_WATCH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration BEHIND_MAX = Duration.ofSeconds(2);

    /** A range that is written to faster than it is applied does not keep the node from serving. */
    private static final Duration CATCH_UP_MAX = Duration.ofMinutes(2);

    private static final Duration ALIGN_INTERVAL = Duration.ofSeconds(1);

    /** A process that ends later is in no crash loop. */
    private static final Duration SETTLED_AFTER = Duration.ofMinutes(5);

    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(1);
    private static final Duration TRIM_INTERVAL = Duration.ofSeconds(30);
    private static final Duration ROOM_POLL = Duration.ofSeconds(1);
    private static final Duration HAND_OVER_POLL = Duration.ofMillis(5);
    private static final int TRANSFERS_BEFORE_STEPPING_DOWN = 2;

    /** After so many looks in vain it is asked for again. */
    private static final int HAND_OVER_POLLS = 40;

    private final Consumer<StoreFailure> onFailure;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ServerThreads threads = new ServerThreads();
    private final DataFolder folder;
    private final KeptLevel level;
    private final Wiring wiring;
    private volatile Optional<ServerStore> store = Optional.empty();
    private volatile Optional<Replicas> replicas = Optional.empty();
    private volatile Optional<ProgressClient> progress = Optional.empty();
    private volatile Optional<RangeServer> service = Optional.empty();
    private volatile Optional<NodeServer> copies = Optional.empty();
    private volatile Optional<DiskWatch> disk = Optional.empty();
    private volatile Optional<SpaceWatch> space = Optional.empty();
    private volatile Optional<ClockWatch> clock = Optional.empty();
    private volatile Optional<ManagerLink> link = Optional.empty();
    private volatile Optional<Scrub> scrub = Optional.empty();
    private volatile Optional<ReplicaDigests> digests = Optional.empty();
    private volatile Optional<Comparer> comparer = Optional.empty();
    private volatile Optional<Damaged> damaged = Optional.empty();
    private volatile boolean waitsForRoom;

    /** What the node is made of, given from outside. */
    private record Wiring(
            PartitionServerConfig config,
            ManagerEndpoints managers,
            NodeChannels nodes,
            InstantSource clock,
            PartitionServerMetrics metrics,
            CrashHook<CrashPoint> crash,
            SpaceSource space) {}

    /** A store that cannot be used, and the wait for leave to give it up. */
    private record Damaged(String damage, PermitWait leave) {}

    private PartitionServer(
            DataFolder folder, KeptLevel level, Wiring wiring, Consumer<StoreFailure> onFailure) {
        this.folder = folder;
        this.level = level;
        this.wiring = wiring;
        this.onFailure = onFailure;
    }

    /**
     * Opens the data folder, restores its replicas and starts reporting to the manager. Where the
     * store is damaged and may be rebuilt, it serves nothing until the manager gives leave for
     * that. Where the disk is full, it serves nothing until there is room.
     *
     * @param managers the partition managers; their channels stay the caller's
     * @param nodes reaches the services of other nodes
     * @param marker told which feature level the cluster has reached, before anything is written
     *     that needs it
     * @param onFailure told at most once, from any thread, when the node can no longer keep what it
     *     promised: it acknowledges nothing from then on and should be closed or exit
     * @throws IOException if the data folder cannot be opened, with the reason
     */
    public static PartitionServer start(
            PartitionServerConfig config,
            ManagerEndpoints managers,
            NodeChannels nodes,
            InstantSource clock,
            MeterRegistry meters,
            LevelKeeper marker,
            Consumer<StoreFailure> onFailure)
            throws IOException {
        return start(
                config,
                managers,
                nodes,
                clock,
                meters,
                marker,
                onFailure,
                CrashHook.ofProcess(CrashPoint.class),
                SpaceSource.of(config.dataFolder()));
    }

    /**
     * The same for tests.
     *
     * @param crash told of the moments it passes, to end the node there
     * @param space tells how full the disk is
     */
    static PartitionServer start(
            PartitionServerConfig config,
            ManagerEndpoints managers,
            NodeChannels nodes,
            InstantSource clock,
            MeterRegistry meters,
            LevelKeeper marker,
            Consumer<StoreFailure> onFailure,
            CrashHook<CrashPoint> crash,
            SpaceSource space)
            throws IOException {
        DataFolder folder =
                DataFolder.open(
                        config.dataFolder(),
                        () ->
                                config.nodeId()
                                        .map(NodeId::new)
                                        .orElseGet(PartitionServer::randomNodeId));
        PartitionServer server =
                new PartitionServer(
                        folder,
                        new KeptLevel(folder, marker),
                        new Wiring(
                                config,
                                managers,
                                nodes,
                                clock,
                                new PartitionServerMetrics(meters),
                                crash,
                                space),
                        onFailure);
        try {
            server.run();
            return server;
        } catch (IOException | RuntimeException failure) {
            server.stop(false);
            throw failure;
        }
    }

    private synchronized void run() throws IOException {
        wiring.metrics()
                .gauge(
                        "partition_server_store_damaged",
                        "1 while the store cannot be used and is not given up yet",
                        this,
                        server -> server.damaged.isPresent() ? 1 : 0);
        boolean rebuild = wiring.config().damage().rebuild();
        Optional<String> marked = rebuild ? folder.damage() : Optional.empty();
        if (marked.isPresent()) {
            awaitLeave(marked.get());
            return;
        }
        if (lacksRoom()) {
            awaitRoom();
            return;
        }
        openOrAwaitLeave(rebuild);
    }

    /**
     * Whether the disk is so full that a start would end at its first write, and the next one as
     * well. What is kept for such times is given back first.
     */
    private boolean lacksRoom() {
        DiskSpaceConfig config = wiring.config().diskSpace();
        try {
            if (!config.isFull(wiring.space().look())) {
                return false;
            }
            new SpaceReserve(wiring.config().dataFolder()).giveBack();
            return config.isFull(wiring.space().look());
        } catch (IOException failure) {
            // The start itself tells what is wrong with it.
            LOG.warn("room on the disk cannot be told", failure);
            return false;
        }
    }

    /** It serves nothing until then, and is heard of by nobody. */
    private void awaitRoom() {
        LOG.error("disk full, the start waits for room folder={}", wiring.config().dataFolder());
        waitsForRoom = true;
        DaemonThreads.unstarted("partition-room", this::startOnceRoom).start();
    }

    private void startOnceRoom() {
        while (lacksRoom()) {
            LockSupport.parkNanos(ROOM_POLL.toNanos());
            if (closed.get()) {
                return;
            }
        }
        synchronized (this) {
            if (closed.get()) {
                return;
            }
            LOG.info("disk has room, the start goes on");
            try {
                openOrAwaitLeave(wiring.config().damage().rebuild());
                waitsForRoom = false;
            } catch (IOException | RuntimeException failure) {
                failed(new StoreFailure("start after the disk was full", failure));
            }
        }
    }

    /** Groups take entries as soon as they have joined, before the disk is watched. */
    private void limitEntries(Replicas hosted) {
        try {
            hosted.admission()
                    .limitEntries(wiring.config().diskSpace().entryBytes(wiring.space().look()));
        } catch (IOException failure) {
            LOG.warn("room on the disk cannot be told", failure);
        }
    }

    private void openOrAwaitLeave(boolean rebuild) throws IOException {
        try {
            open();
        } catch (DamagedStoreException failure) {
            if (!rebuild) {
                throw failure;
            }
            String damage = failure.getMessage() + ": " + failure.getCause().getMessage();
            folder.markDamaged(damage);
            awaitLeave(damage);
        }
    }

    /** Asks the manager again and again whether what the store held is safe without it. */
    private void awaitLeave(String damage) {
        LOG.error("store damaged, not used until it may be given up damage={}", damage);
        PermitWait wait =
                new PermitWait(
                        folder.identity().incarnation(),
                        () -> DaemonThreads.unstarted("store-rebuild", this::rebuildStore).start());
        damaged = Optional.of(new Damaged(damage, wait));
        converse(
                raftAddress(),
                () -> HeartbeatRequest.newBuilder().setDamage(damage),
                changed -> wait,
                answer -> {});
    }

    private synchronized void rebuildStore() {
        if (closed.get()) {
            return;
        }
        link.ifPresent(ManagerLink::close);
        try {
            folder.rebuildStore();
            LOG.warn(
                    "damaged store given up, the node rebuilds its store nodeId={} incarnation={}",
                    nodeId(),
                    folder.identity().incarnation());
            open();
            damaged = Optional.empty();
        } catch (IOException | RuntimeException failure) {
            failed(new StoreFailure("giving up the damaged store", failure));
        }
    }

    private void converse(
            String raftAddress,
            Supplier<HeartbeatRequest.Builder> reports,
            Function<Runnable, OrderTaker> orders,
            Consumer<HeartbeatResponse> onAnswer) {
        PartitionServerConfig config = wiring.config();
        Node self =
                Node.newBuilder()
                        .setNodeId(nodeId().value())
                        .setServiceAddress(config.serviceAddress())
                        .setRaftAddress(config.advertisedRaft(raftAddress))
                        .setZone(config.zone())
                        .setVersion(config.version())
                        .setIncarnation(folder.identity().incarnation())
                        .build();
        ManagerLink started =
                new ManagerLink(
                        wiring.managers(),
                        self,
                        folder,
                        level,
                        reports,
                        orders,
                        onAnswer,
                        config.heartbeatInterval(),
                        this::failed,
                        wiring.crash());
        link = Optional.of(started);
        started.start();
    }

    /** Whoever waits for it here first: the manager's answer takes longer. */
    private void changed() {
        service.ifPresent(RangeServer::changed);
        link.ifPresent(ManagerLink::changed);
    }

    private void open() throws IOException {
        PartitionServerConfig config = wiring.config();
        PartitionServerMetrics metrics = wiring.metrics();
        ServerStore rows =
                ServerStore.open(
                        folder.rows(),
                        config.store(),
                        threads.upkeep(),
                        System::nanoTime,
                        metrics,
                        this::failed,
                        wiring.crash());
        store = Optional.of(rows);
        if (closed.get()) {
            rows.ending();
        }
        ProgressClient asked = new ProgressClient(wiring.nodes());
        progress = Optional.of(asked);
        Replicas hosted =
                new Replicas(
                        config.raft(),
                        nodeId(),
                        rows,
                        new ReplicaFolders(
                                folder.raft(),
                                folder.installs(),
                                config.damage().rebuild()
                                        ? Optional.of(new HeldLogs(folder.raft(), folder.aside()))
                                        : Optional.empty(),
                                new Quarantines(folder.raft(), config.version())),
                        LogBufferRoom.OF_PROCESS,
                        new CopyClient(
                                nodeId(),
                                wiring.nodes(),
                                config.copy(),
                                threads.timer(),
                                System::nanoTime),
                        asked,
                        config.copy().installsMax(),
                        metrics,
                        threads.workers(),
                        wiring.clock(),
                        System::nanoTime,
                        this::failed,
                        wiring.crash(),
                        this::changed,
                        level.known());
        replicas = Optional.of(hosted);
        limitEntries(hosted);
        hosted.start();
        threads.timer()
                .scheduleWithFixedDelay(
                        hosted.upkeep()::noteLeases,
                        LEASE_NOTE_INTERVAL.toMillis(),
                        LEASE_NOTE_INTERVAL.toMillis(),
                        TimeUnit.MILLISECONDS);
        threads.timer()
                .scheduleWithFixedDelay(
                        hosted::watchRaft,
                        RAFT_WATCH_INTERVAL.toMillis(),
                        RAFT_WATCH_INTERVAL.toMillis(),
                        TimeUnit.MILLISECONDS);
        threads.timer()
                .scheduleWithFixedDelay(
                        hosted.upkeep()::alignGroups,
                        ALIGN_INTERVAL.toMillis(),
                        ALIGN_INTERVAL.toMillis(),
                        TimeUnit.MILLISECONDS);
        threads.upkeep().schedule(hosted::settle, SETTLED_AFTER.toMillis(), TimeUnit.MILLISECONDS);
        threads.upkeep()
                .scheduleWithFixedDelay(
                        () -> {
                            hosted.logs().trimLogs();
                            hosted.upkeep().forgetFences();
                            clock.ifPresent(told -> hosted.upkeep().resetClocks(told.trust()));
                        },
                        TRIM_INTERVAL.toMillis(),
                        TRIM_INTERVAL.toMillis(),
                        TimeUnit.MILLISECONDS);
        service =
                Optional.of(
                        new RangeServer(
                                config.rpc(),
                                hosted,
                                rows,
                                threads.workers(),
                                threads.timer(),
                                metrics,
                                System::nanoTime));
        ReplicaDigests told =
                new ReplicaDigests(
                        config.compare(),
                        hosted,
                        config.version(),
                        threads.timer(),
                        metrics,
                        System::nanoTime);
        digests = Optional.of(told);
        copies =
                Optional.of(
                        new NodeServer(
                                config.copy(),
                                hosted,
                                rows,
                                threads.timer(),
                                threads.upkeep(),
                                told,
                                metrics,
                                System::nanoTime));
        metrics.gauge(
                "partition_server_damaged_replicas",
                "Replicas that have to be rebuilt because their log is damaged, or are set aside",
                hosted,
                held -> held.all().stream().filter(each -> each.damage().isPresent()).count());
        metrics.gauge(
                "partition_server_quarantined_replicas",
                "Replicas that are set aside because an entry of their log could not be applied",
                hosted,
                held -> held.all().stream().filter(each -> each.quarantine().isPresent()).count());
        metrics.gauge(
                "partition_server_range_clock_ahead_seconds",
                "How far the log time of a range led here is ahead of the server's clock at most",
                hosted,
                held -> held.upkeep().timeAhead().toSeconds());
        DiskWatch watch =
                new DiskWatch(
                        config.disk(),
                        hosted,
                        rows,
                        System::nanoTime,
                        ThreadLocalRandom.current().nextDouble(),
                        metrics,
                        () ->
                                hosted.admission().refusesEntries()
                                        || space.map(SpaceWatch::isFull).orElse(false),
                        (which, times) -> giveLeadsAway(hosted, which, times),
                        () -> link.ifPresent(ManagerLink::changed),
                        this::failed);
        disk = Optional.of(watch);
        SpaceWatch room =
                new SpaceWatch(
                        config.diskSpace(),
                        wiring.space(),
                        new SpaceReserve(config.dataFolder()),
                        metrics,
                        hosted.admission()::refuseGrowth,
                        hosted.admission()::limitEntries);
        space = Optional.of(room);
        room.start();
        ClockWatch time =
                new ClockWatch(
                        hosted,
                        (which, times) -> giveLeadsAway(hosted, which, times),
                        System::nanoTime,
                        metrics);
        clock = Optional.of(time);
        time.start();
        converse(
                hosted.raftAddress(),
                new ReplicaReports(
                        hosted,
                        new ReplicaSizes(rows, System::nanoTime),
                        new LedLoads(System::nanoTime, metrics),
                        watch::isStalled,
                        room::space,
                        room::refusesGrowth,
                        wiring.clock(),
                        time::ahead),
                changed -> new OrderWorker(hosted, metrics, changed),
                time::heard);
        watch.start();
        Scrub looking = new Scrub(config.damage(), rows, hosted, metrics);
        scrub = Optional.of(looking);
        looking.start();
        Comparer comparing =
                new Comparer(
                        config.compare(),
                        nodeId(),
                        config.version(),
                        hosted,
                        told,
                        asked,
                        metrics,
                        () -> link.ifPresent(ManagerLink::changed),
                        System::nanoTime,
                        ThreadLocalRandom.current()::nextDouble);
        comparer = Optional.of(comparing);
        comparing.start();
        LOG.info(
                "partition server started nodeId={} replicas={} raftAddress={}",
                nodeId(),
                hosted.all().size(),
                hosted.raftAddress());
    }

    private static NodeId randomNodeId() {
        return new NodeId("node-" + UUID.randomUUID().toString().substring(0, 8));
    }

    /** It is not what is applied that ends the node. Waits for a disk that hangs only so long. */
    private void settle() {
        Thread settling =
                DaemonThreads.unstarted(
                        "partition-settle", () -> replicas.ifPresent(Replicas::settle));
        settling.start();
        try {
            settling.join(SETTLED_WITHIN.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void failed(StoreFailure failure) {
        if (failed.compareAndSet(false, true)) {
            // A thread of its own: whoever is told may close the node, and the thread that found
            // the failure is one of those that closing waits for.
            DaemonThreads.unstarted(
                            "partition-failure",
                            () -> {
                                if (!failure.isOfMemory()) {
                                    settle();
                                }
                                failure.damage().ifPresent(this::markDamaged);
                                onFailure.accept(failure);
                            })
                    .start();
            // Last: the log file may be on the disk that does not answer.
            LOG.error("node failed operation={}", failure.operation(), failure.cause());
        }
    }

    /** Or the node would open the store again and again, until the damaged block is read. */
    private void markDamaged(String damage) {
        wiring.metrics().damageFound(PartitionServerMetrics.Damage.ROWS);
        boolean needed =
                replicas.stream()
                        .flatMap(hosted -> hosted.all().stream())
                        .anyMatch(Replica::isAlone);
        if (needed || !wiring.config().damage().rebuild()) {
            // Nobody has what is still readable here.
            return;
        }
        try {
            folder.markDamaged(damage);
        } catch (IOException failure) {
            LOG.error("damage of the store not noted damage={}", damage, failure);
        }
    }

    /** The node's lasting name. */
    public NodeId nodeId() {
        return folder.identity().nodeId();
    }

    /**
     * What it lacks to serve the ranges it holds; empty: nothing. Once it has been heard by a
     * manager, it needs none. A replica that is behind counts as a lack for two minutes: whoever
     * restarts one node after the other has to wait for it, or the next one leaves a majority that
     * cannot acknowledge before it has caught up.
     */
    public Optional<String> missing() {
        if (failed.get()) {
            return Optional.of("its store has failed");
        }
        Optional<Damaged> waits = damaged;
        if (waits.isPresent()) {
            return Optional.of(
                    "its store cannot be used ("
                            + waits.get().damage()
                            + ") and may not be given up yet: "
                            + waits.get().leave().noLeave());
        }
        if (waitsForRoom) {
            return Optional.of("its disk is full, it starts once there is room");
        }
        Optional<String> refusal = link.flatMap(ManagerLink::refusal);
        if (refusal.isPresent()) {
            return Optional.of("the partition manager refuses it: " + refusal.get());
        }
        if (link.map(ManagerLink::hasBeenHeard).filter(heard -> heard).isEmpty()) {
            return Optional.of("no partition manager has taken its report yet");
        }
        Optional<String> stalled = disk.flatMap(DiskWatch::trouble);
        if (stalled.isPresent()) {
            return stalled;
        }
        Optional<String> ahead = clock.flatMap(ClockWatch::trouble);
        if (ahead.isPresent()) {
            return ahead;
        }
        List<RangeId> leaderless = ranges(replica -> replica.leaderHint().isEmpty());
        if (!leaderless.isEmpty()) {
            return Optional.of("ranges without a known leader: " + leaderless);
        }
        long nowNanos = System.nanoTime();
        List<RangeId> behind =
                ranges(replica -> !replica.hasCaughtUp(nowNanos, BEHIND_MAX, CATCH_UP_MAX));
        return behind.isEmpty()
                ? Optional.empty()
                : Optional.of("ranges whose replica here is behind: " + behind);
    }

    private List<RangeId> ranges(Predicate<Replica> lack) {
        return replicas.stream()
                .flatMap(hosted -> hosted.all().stream())
                .filter(replica -> !replica.isJoining() && replica.damage().isEmpty())
                .filter(lack)
                .map(replica -> replica.descriptor().rangeId())
                .toList();
    }

    /** All rows it holds; it stays the server's. */
    ServerStore store() {
        return store.orElseThrow();
    }

    /** host:port its Raft server is reached by. */
    public String raftAddress() {
        return replicas.map(Replicas::raftAddress)
                .orElseGet(
                        () -> wiring.config().raft().host() + ":" + wiring.config().raft().port());
    }

    /** The RangeService, to be served on any gRPC transport. */
    public BindableService rangeService() {
        return ServicesOnceOpen.ranges(() -> service);
    }

    /** The NodeService, to be served where the RangeService is. */
    public BindableService nodeService() {
        return ServicesOnceOpen.node(() -> copies);
    }

    /** All services, to be served on one address; none of them blocks. */
    public List<BindableService> services() {
        return List.of(rangeService(), nodeService());
    }

    /**
     * Has other members lead the ranges that this node leads, each the one whose log is furthest.
     * Blocks until they do, at most for the time given; what is left is led elsewhere after an
     * election. Call it before closing.
     */
    public void handOverLeads(Duration time) {
        if (replicas.isEmpty()) {
            return;
        }
        Replicas hosted = replicas.get();
        long endNanos = System.nanoTime() + time.toNanos();
        for (int polls = 0; leadsWithOthers(hosted) && System.nanoTime() - endNanos < 0; polls++) {
            if (polls % HAND_OVER_POLLS == 0) {
                // In vain where one is under way; of those that could not be, one may be by now.
                askForOtherLeaders(hosted, rangeId -> true);
            }
            LockSupport.parkNanos(HAND_OVER_POLL.toNanos());
        }
    }

    private static void askForOtherLeaders(Replicas hosted, Predicate<RangeId> which) {
        for (Replica replica : hosted.all()) {
            if (which.test(replica.descriptor().rangeId()) && replica.isLeading()) {
                replica.followers().stream()
                        .max(Comparator.comparingLong(FollowerState::matchIndex))
                        .ifPresent(
                                successor ->
                                        hosted.led()
                                                .ifPresent(
                                                        led ->
                                                                led.transferLead(
                                                                        replica,
                                                                        replica.descriptor()
                                                                                .generation(),
                                                                        successor.nodeId())));
            }
        }
    }

    /** A lead that nobody can be given, as while a member is being taken in, is given up. */
    private static void giveLeadsAway(Replicas hosted, Predicate<RangeId> which, int triedTimes) {
        if (triedTimes < TRANSFERS_BEFORE_STEPPING_DOWN) {
            askForOtherLeaders(hosted, which);
        } else {
            hosted.stalls().stepDown(which);
        }
    }

    private static boolean leadsWithOthers(Replicas hosted) {
        return hosted.all().stream()
                .anyMatch(replica -> replica.isLeading() && !replica.followers().isEmpty());
    }

    /** Stops taking requests, writes what is in memory to disk and closes everything. */
    @Override
    public void close() {
        stop(true);
    }

    /** Closes without writing what is in memory: what a killed process leaves behind. */
    void kill() {
        stop(false);
    }

    private void stop(boolean flush) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // A start that waits for room in the store holds the lock, and waits no longer then.
        store.ifPresent(ServerStore::ending);
        synchronized (this) {
            stopParts(flush);
        }
    }

    private void stopParts(boolean flush) {
        store.ifPresent(ServerStore::ending);
        link.ifPresent(ManagerLink::close);
        disk.ifPresent(DiskWatch::close);
        space.ifPresent(SpaceWatch::close);
        clock.ifPresent(ClockWatch::close);
        scrub.ifPresent(Scrub::close);
        comparer.ifPresent(Comparer::close);
        service.ifPresent(flush ? RangeServer::close : RangeServer::abandon);
        copies.ifPresent(NodeServer::close);
        digests.ifPresent(ReplicaDigests::close);
        boolean endsWell = flush && !failed.get();
        replicas.ifPresent(hosted -> hosted.ends(endsWell));
        replicas.ifPresent(Replicas::close);
        progress.ifPresent(ProgressClient::close);
        threads.close();
        if (flush && !failed.get()) {
            store.ifPresent(ServerStore::close);
        } else {
            store.ifPresent(ServerStore::abandon);
        }
        try {
            folder.close();
        } catch (IOException failure) {
            LOG.warn("lock of the data folder not released cleanly", failure);
        }
    }
}

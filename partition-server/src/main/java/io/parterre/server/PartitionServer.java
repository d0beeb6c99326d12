package io.parterre.server;

import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import io.parterre.crash.CrashHook;
import io.parterre.endpoint.ManagerEndpoint;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.proto.manager.Node;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.raft.FollowerState;
import io.parterre.server.raft.Replica;
import io.parterre.server.raft.ReplicaFolders;
import io.parterre.server.raft.Replicas;
import io.parterre.server.rpc.CopyClient;
import io.parterre.server.rpc.NodeChannels;
import io.parterre.server.rpc.NodeServer;
import io.parterre.server.rpc.RangeServer;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
    private static final Duration HAND_OVER_POLL = Duration.ofMillis(5);

    private final Consumer<StoreFailure> onFailure;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ExecutorService workers = workers();
    private final ScheduledExecutorService timer = scheduler("partition-timer");
    private final ScheduledExecutorService upkeep = scheduler("partition-upkeep");
    private final DataFolder folder;
    private Optional<ServerStore> store = Optional.empty();
    private Optional<Replicas> replicas = Optional.empty();
    private Optional<RangeServer> service = Optional.empty();
    private Optional<NodeServer> copies = Optional.empty();
    private Optional<DiskWatch> disk = Optional.empty();
    private volatile Optional<ManagerLink> link = Optional.empty();

    private PartitionServer(DataFolder folder, Consumer<StoreFailure> onFailure) {
        this.folder = folder;
        this.onFailure = onFailure;
    }

    /**
     * Opens the data folder, restores its replicas and starts reporting to the manager.
     *
     * @param managers the partition managers; their channels stay the caller's
     * @param nodes reaches the services of other nodes
     * @param onFailure told at most once, from any thread, when the node can no longer keep what it
     *     promised: it acknowledges nothing from then on and should be closed or exit
     * @throws IOException if the data folder cannot be opened, with the reason
     */
    public static PartitionServer start(
            PartitionServerConfig config,
            List<ManagerEndpoint> managers,
            NodeChannels nodes,
            InstantSource clock,
            MeterRegistry meters,
            Consumer<StoreFailure> onFailure)
            throws IOException {
        return start(
                config,
                managers,
                nodes,
                clock,
                meters,
                onFailure,
                CrashHook.ofProcess(CrashPoint.class));
    }

    /** Tells of the moments it passes, for tests that end the node there. */
    static PartitionServer start(
            PartitionServerConfig config,
            List<ManagerEndpoint> managers,
            NodeChannels nodes,
            InstantSource clock,
            MeterRegistry meters,
            Consumer<StoreFailure> onFailure,
            CrashHook<CrashPoint> crash)
            throws IOException {
        DataFolder folder =
                DataFolder.open(
                        config.dataFolder(),
                        () ->
                                config.nodeId()
                                        .map(NodeId::new)
                                        .orElseGet(PartitionServer::randomNodeId));
        PartitionServer server = new PartitionServer(folder, onFailure);
        try {
            server.run(config, managers, nodes, clock, new PartitionServerMetrics(meters), crash);
            return server;
        } catch (IOException | RuntimeException failure) {
            server.stop(false);
            throw failure;
        }
    }

    private void run(
            PartitionServerConfig config,
            List<ManagerEndpoint> managers,
            NodeChannels nodes,
            InstantSource clock,
            PartitionServerMetrics metrics,
            CrashHook<CrashPoint> crash)
            throws IOException {
        ServerStore rows =
                ServerStore.open(
                        folder.rows(),
                        config.store(),
                        upkeep,
                        System::nanoTime,
                        metrics,
                        this::failed,
                        crash);
        store = Optional.of(rows);
        Replicas hosted =
                new Replicas(
                        config.raft(),
                        nodeId(),
                        rows,
                        new ReplicaFolders(folder.raft(), folder.installs()),
                        new CopyClient(nodeId(), nodes, config.copy(), timer, System::nanoTime),
                        config.copy().installsMax(),
                        metrics,
                        workers,
                        clock,
                        System::nanoTime,
                        this::failed,
                        crash,
                        () -> link.ifPresent(ManagerLink::changed));
        replicas = Optional.of(hosted);
        hosted.start();
        timer.scheduleWithFixedDelay(
                hosted::noteLeases,
                LEASE_NOTE_INTERVAL.toMillis(),
                LEASE_NOTE_INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
        timer.scheduleWithFixedDelay(
                hosted::watchRaft,
                RAFT_WATCH_INTERVAL.toMillis(),
                RAFT_WATCH_INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
        service =
                Optional.of(
                        new RangeServer(
                                config.rpc(),
                                hosted,
                                rows,
                                workers,
                                timer,
                                metrics,
                                System::nanoTime));
        copies = Optional.of(new NodeServer(config.copy(), hosted, rows, System::nanoTime));
        Node self =
                Node.newBuilder()
                        .setNodeId(nodeId().value())
                        .setServiceAddress(config.serviceAddress())
                        .setRaftAddress(config.advertisedRaft(hosted.raftAddress()))
                        .setZone(config.zone())
                        .setVersion(config.version())
                        .setIncarnation(folder.identity().incarnation())
                        .build();
        DiskWatch watch =
                new DiskWatch(
                        config.disk(),
                        hosted,
                        rows,
                        System::nanoTime,
                        metrics,
                        () -> askForOtherLeaders(hosted),
                        () -> link.ifPresent(ManagerLink::changed),
                        this::failed);
        disk = Optional.of(watch);
        ManagerLink started =
                new ManagerLink(
                        new ManagerEndpoints(managers),
                        self,
                        folder,
                        hosted,
                        config.heartbeatInterval(),
                        watch::isStalled,
                        this::failed,
                        crash);
        link = Optional.of(started);
        started.start();
        watch.start();
        LOG.info(
                "partition server started nodeId={} replicas={} raftAddress={}",
                nodeId(),
                hosted.all().size(),
                hosted.raftAddress());
    }

    private static NodeId randomNodeId() {
        return new NodeId("node-" + UUID.randomUUID().toString().substring(0, 8));
    }

    private void failed(StoreFailure failure) {
        if (failed.compareAndSet(false, true)) {
            // A thread of its own: whoever is told may close the node, and the thread that found
            // the failure is one of those that closing waits for.
            Thread teller = new Thread(() -> onFailure.accept(failure), "partition-failure");
            teller.setDaemon(true);
            teller.start();
            // Last: the log file may be on the disk that does not answer.
            LOG.error("node failed operation={}", failure.operation(), failure.cause());
        }
    }

    /** The node's lasting name. */
    public NodeId nodeId() {
        return folder.identity().nodeId();
    }

    /**
     * What it lacks to serve the ranges it holds; empty: nothing. Once it has been heard by a
     * manager, it needs none. A replica that is behind counts as a lack: whoever restarts one node
     * after the other has to wait for it, or the next one leaves a majority that cannot acknowledge
     * before it has caught up.
     */
    public Optional<String> missing() {
        if (failed.get()) {
            return Optional.of("its store has failed");
        }
        if (link.map(ManagerLink::hasBeenHeard).filter(heard -> heard).isEmpty()) {
            return Optional.of("no partition manager has taken its report yet");
        }
        Optional<String> refusal = link.flatMap(ManagerLink::refusal);
        if (refusal.isPresent()) {
            return Optional.of("the partition manager refuses it: " + refusal.get());
        }
        Optional<String> stalled = disk.flatMap(DiskWatch::trouble);
        if (stalled.isPresent()) {
            return stalled;
        }
        List<RangeId> leaderless = ranges(replica -> replica.leaderHint().isEmpty());
        if (!leaderless.isEmpty()) {
            return Optional.of("ranges without a known leader: " + leaderless);
        }
        long nowNanos = System.nanoTime();
        List<RangeId> behind = ranges(replica -> !replica.isLevel(nowNanos, BEHIND_MAX));
        return behind.isEmpty()
                ? Optional.empty()
                : Optional.of("ranges whose replica here is behind: " + behind);
    }

    private List<RangeId> ranges(Predicate<Replica> lack) {
        return replicas.stream()
                .flatMap(hosted -> hosted.all().stream())
                .filter(replica -> !replica.isJoining())
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
        return replicas.orElseThrow().raftAddress();
    }

    /** The RangeService, to be served on any gRPC transport. */
    public BindableService rangeService() {
        return service.orElseThrow();
    }

    /** The NodeService, to be served where the RangeService is. */
    public BindableService nodeService() {
        return copies.orElseThrow();
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
        Replicas hosted = replicas.orElseThrow();
        long endNanos = System.nanoTime() + time.toNanos();
        askForOtherLeaders(hosted);
        while (leadsWithOthers(hosted) && System.nanoTime() - endNanos < 0) {
            LockSupport.parkNanos(HAND_OVER_POLL.toNanos());
        }
    }

    private static void askForOtherLeaders(Replicas hosted) {
        for (Replica replica : hosted.all()) {
            if (replica.isLeading()) {
                replica.followers().stream()
                        .max(Comparator.comparingLong(FollowerState::matchIndex))
                        .ifPresent(
                                successor ->
                                        hosted.transferLead(
                                                replica.descriptor().rangeId(),
                                                replica.descriptor().generation(),
                                                successor.nodeId()));
            }
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
        link.ifPresent(ManagerLink::close);
        disk.ifPresent(DiskWatch::close);
        service.ifPresent(RangeServer::close);
        copies.ifPresent(NodeServer::close);
        replicas.ifPresent(Replicas::close);
        shutDown(timer);
        shutDown(workers);
        shutDown(upkeep);
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

    private static void shutDown(ExecutorService threads) {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("threads still run at close");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Threads that pack commands and send answers. Each range and each stream has at most one task
     * queued, which bounds the queue.
     */
    private static ExecutorService workers() {
        int count = Math.max(2, Runtime.getRuntime().availableProcessors());
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(
                count,
                count,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons(() -> "partition-worker-" + number.getAndIncrement()));
    }

    private static ScheduledExecutorService scheduler(String name) {
        ScheduledThreadPoolExecutor scheduler =
                new ScheduledThreadPoolExecutor(1, daemons(() -> name));
        scheduler.setRemoveOnCancelPolicy(true);
        return scheduler;
    }

    private static ThreadFactory daemons(java.util.function.Supplier<String> name) {
        return task -> {
            Thread thread = new Thread(task, name.get());
            thread.setDaemon(true);
            return thread;
        };
    }
}

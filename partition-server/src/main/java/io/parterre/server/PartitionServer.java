package io.parterre.server;

import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Tracer;
import io.parterre.crash.CrashHook;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.range.NodeId;
import io.parterre.release.LevelKeeper;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.rpc.NodeChannels;
import io.parterre.server.store.DataFolder;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running partition server: its store, its replicas, its service and its link to the manager.
 * Safe for any thread.
 */
public final class PartitionServer implements AutoCloseable {
    /**
     * Largest message of the RangeService in bytes; its server and its callers have to allow this
     * much.
     */
    public static final int MESSAGE_BYTES_MAX = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(PartitionServer.class);

    private final Wiring wiring;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final NodeFailure failure;
    private final ManagerConnection talk;
    private final StoreDamage damage;
    private final StartRoom room;
    private final NodeParts parts;

    private PartitionServer(Wiring wiring, Consumer<StoreFailure> onFailure) {
        this.wiring = wiring;
        this.failure = new NodeFailure(this::replicas, this::noteDamage, onFailure);
        this.talk = new ManagerConnection(wiring, failure);
        this.damage = new StoreDamage(wiring, talk, this::rebuildStore);
        this.room = new StartRoom(wiring);
        this.parts = new NodeParts(wiring, failure, talk, room);
    }

    /**
     * Opens the data folder, restores its replicas and starts reporting to the manager. If the
     * store is damaged and may be rebuilt, the server serves nothing until the manager permits the
     * rebuild. If the disk is full, the server serves nothing until there is room.
     *
     * @param managers the partition managers; the caller closes their channels
     * @param nodes reaches the services of other nodes
     * @param tracer makes spans of requests whose senders have some; the caller closes it
     * @param marker records the feature level that the cluster has reached, before anything is
     *     written that needs the level
     * @param onFailure receives the failure, at most once and on any thread, when the node can no
     *     longer keep its promises; from then on the node acknowledges nothing and should be closed
     *     or exit
     * @throws IOException if the data folder cannot be opened, with the reason
     */
    public static PartitionServer start(
            PartitionServerConfig config,
            ManagerEndpoints managers,
            NodeChannels nodes,
            InstantSource clock,
            MeterRegistry meters,
            Tracer tracer,
            LevelKeeper marker,
            Consumer<StoreFailure> onFailure)
            throws IOException {
        return start(
                config,
                managers,
                nodes,
                clock,
                meters,
                tracer,
                marker,
                onFailure,
                CrashHook.ofProcess(CrashPoint.class),
                SpaceSource.of(config.dataFolder()));
    }

    /**
     * Starts a server as above, with hooks for tests.
     *
     * @param crash is notified of the moments that the node passes, to end the node there
     * @param space measures how full the disk is
     */
    static PartitionServer start(
            PartitionServerConfig config,
            ManagerEndpoints managers,
            NodeChannels nodes,
            InstantSource clock,
            MeterRegistry meters,
            Tracer tracer,
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
                        new Wiring(
                                config,
                                folder,
                                new KeptLevel(folder, marker),
                                managers,
                                nodes,
                                clock,
                                System::nanoTime,
                                new PartitionServerMetrics(meters),
                                tracer,
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
        Optional<String> noted = damage.noted();
        if (noted.isPresent()) {
            damage.awaitPermission(noted.get());
        } else if (room.isLacking()) {
            room.await(closed::get, this::startOnceRoom);
        } else {
            damage.openOrAwaitPermission(this::open);
        }
    }

    private synchronized void startOnceRoom() {
        if (closed.get()) {
            return;
        }
        LOG.info("disk has room, the start goes on");
        try {
            damage.openOrAwaitPermission(this::open);
            room.started();
        } catch (IOException | RuntimeException cause) {
            failure.accept(new StoreFailure("start after the disk was full", cause));
        }
    }

    private synchronized void rebuildStore() {
        if (closed.get()) {
            return;
        }
        try {
            damage.rebuild(this::open);
        } catch (IOException | RuntimeException cause) {
            failure.accept(new StoreFailure("giving up the damaged store", cause));
        }
    }

    private void noteDamage(String what) {
        damage.note(what, replicas());
    }

    private Optional<Replicas> replicas() {
        return parts.replicas();
    }

    private void open() throws IOException {
        parts.open(closed::get);
        Replicas hosted = replicas().orElseThrow();
        LOG.info(
                "partition server started nodeId={} replicas={} raftAddress={}",
                nodeId(),
                hosted.all().size(),
                hosted.raftAddress());
    }

    private static NodeId randomNodeId() {
        return new NodeId("node-" + UUID.randomUUID().toString().substring(0, 8));
    }

    /** Returns the node's lasting id. */
    public NodeId nodeId() {
        return wiring.nodeId();
    }

    /**
     * Returns what the node lacks to serve the ranges that it holds; empty: nothing. Once a manager
     * has answered, the node needs no manager. A replica that is behind counts as a lack for two
     * minutes. A rolling restart has to wait for that replica: stopping the next node would leave a
     * majority that cannot acknowledge before the replica has caught up.
     */
    public Optional<String> missing() {
        return failure.trouble()
                .or(damage::trouble)
                .or(room::trouble)
                .or(talk::trouble)
                .or(() -> parts.watches().flatMap(NodeWatches::trouble))
                .or(() -> replicas().flatMap(ReplicaReadiness::trouble));
    }

    /** Returns the store with all rows of the node; the server closes it. */
    ServerStore store() {
        return parts.store().orElseThrow();
    }

    /** Returns the host:port by which other members reach this node's Raft server. */
    public String raftAddress() {
        return replicas().map(Replicas::raftAddress).orElseGet(wiring::raftAddress);
    }

    /** Returns the RangeService, to be served on any gRPC transport. */
    public BindableService rangeService() {
        return ServicesOnceOpen.ranges(() -> parts.services().map(NodeServices::ranges));
    }

    /** Returns the NodeService, to be served where the RangeService is. */
    public BindableService nodeService() {
        return ServicesOnceOpen.node(() -> parts.services().map(NodeServices::node));
    }

    /** Returns all services, to be served on one address; none of them blocks. */
    public List<BindableService> services() {
        return List.of(rangeService(), nodeService());
    }

    /**
     * Asks the managers for the disruption permit, if the settings say so. Blocks until the node
     * holds the permit, at most for the time that the settings give, and serves meanwhile. Call
     * this method before leadership is handed over.
     */
    public void awaitStopPermit() {
        talk.awaitStopPermit(
                () ->
                        failure.trouble()
                                .or(damage::trouble)
                                .or(room::trouble)
                                .or(() -> replicas().flatMap(ReplicaReadiness::indispensable)));
    }

    /**
     * Transfers the leadership of each range to the member whose log is longest. Blocks until other
     * members lead, at most for the time given. The remaining ranges get a leader by election. Call
     * this method before closing.
     */
    public void transferLeadership(Duration time) {
        replicas().map(LeadershipHandOver::new).ifPresent(handOver -> handOver.ofAll(time));
    }

    /** Stops taking requests, flushes memory to disk and closes everything. */
    @Override
    public void close() {
        stop(true);
    }

    /**
     * Closes without writing the contents of memory, and leaves the state that a killed process
     * leaves.
     */
    void kill() {
        stop(false);
    }

    private void stop(boolean flush) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // A start that waits for room in the store holds the lock, and ends its wait after this
        // call.
        parts.store().ifPresent(ServerStore::ending);
        synchronized (this) {
            parts.close(flush);
            try {
                wiring.folder().close();
            } catch (IOException cause) {
                LOG.warn("lock of the data folder not released cleanly", cause);
            }
        }
    }
}

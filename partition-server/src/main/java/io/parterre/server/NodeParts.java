package io.parterre.server;

import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.rpc.ProgressClient;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The parts of a node that are there once its store is open, as far as they have been opened. Safe
 * for any thread; the caller sees to it that they are not opened and closed at once.
 */
final class NodeParts {
    private final Wiring wiring;
    private final NodeFailure failure;
    private final ManagerConnection talk;
    private final StartRoom room;
    private final ServerThreads threads = new ServerThreads();
    private volatile Optional<ServerStore> store = Optional.empty();
    private volatile Optional<ProgressClient> progress = Optional.empty();
    private volatile Optional<Replicas> replicas = Optional.empty();
    private volatile Optional<NodeServices> services = Optional.empty();
    private volatile Optional<NodeWatches> watches = Optional.empty();

    NodeParts(Wiring wiring, NodeFailure failure, ManagerConnection talk, StartRoom room) {
        this.wiring = wiring;
        this.failure = failure;
        this.talk = talk;
        this.room = room;
    }

    Optional<ServerStore> store() {
        return store;
    }

    Optional<Replicas> replicas() {
        return replicas;
    }

    Optional<NodeServices> services() {
        return services;
    }

    Optional<NodeWatches> watches() {
        return watches;
    }

    /**
     * Opens the store and starts everything that serves it.
     *
     * @param closed whether the node is to end, so that the store must not wait for room
     * @throws IOException if a part cannot be opened; those before it are open
     */
    void open(BooleanSupplier closed) throws IOException {
        PartitionServerMetrics metrics = wiring.metrics();
        ServerStore rows =
                ServerStore.open(
                        wiring.folder().rows(),
                        wiring.config().store(),
                        threads.upkeep(),
                        wiring.nanoTicker(),
                        metrics,
                        failure,
                        wiring.crash());
        store = Optional.of(rows);
        if (closed.getAsBoolean()) {
            rows.ending();
        }
        ProgressClient asked = new ProgressClient(wiring.nodes());
        progress = Optional.of(asked);
        Replicas hosted =
                ReplicaWiring.replicas(wiring, rows, asked, threads, failure, this::changed);
        replicas = Optional.of(hosted);
        room.limitEntries(hosted);
        hosted.start(wiring.nodes().raft());
        UpkeepSchedule.start(
                hosted,
                threads,
                () -> watches.map(NodeWatches::clockTrust),
                new RecordWatch(
                        rows.records(),
                        wiring.clock(),
                        () -> watches.map(NodeWatches::lacksRoom).orElse(false),
                        metrics));
        NodeServices serving = new NodeServices(wiring, rows, hosted, threads);
        services = Optional.of(serving);
        ReplicaGauges.register(hosted, metrics);
        NodeWatches watching =
                new NodeWatches(wiring, rows, hosted, serving.digests(), asked, talk, failure);
        watches = Optional.of(watching);
        watching.startReported();
        talk.start(
                hosted.raftAddress(),
                new ReplicaReports(
                        hosted,
                        new ReplicaSizes(rows, wiring.nanoTicker()),
                        new LedLoads(wiring.nanoTicker(), metrics),
                        watching,
                        wiring.clock()),
                changed -> new OrderWorker(hosted, metrics, changed),
                watching.clock()::heard);
        watching.startOthers();
    }

    /**
     * Callers that wait at this node are notified first, because the manager's answer takes longer.
     */
    private void changed() {
        services.ifPresent(open -> open.ranges().changed());
        talk.changed();
    }

    /**
     * Closes all parts and the connection to the manager.
     *
     * @param flush whether the contents of memory are written to disk
     */
    void close(boolean flush) {
        store.ifPresent(ServerStore::ending);
        talk.close();
        watches.ifPresent(NodeWatches::close);
        services.ifPresent(serving -> serving.close(flush));
        boolean endsWell = flush && !failure.hasFailed();
        replicas.ifPresent(hosted -> hosted.ends(endsWell));
        replicas.ifPresent(Replicas::close);
        progress.ifPresent(ProgressClient::close);
        threads.close();
        if (flush && !failure.hasFailed()) {
            store.ifPresent(ServerStore::close);
        } else {
            store.ifPresent(ServerStore::abandon);
        }
    }
}

package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.proto.node.FlushRequest;
import io.parterre.proto.node.FlushResponse;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.range.RangeId;
import io.parterre.server.raft.Replica;
import io.parterre.server.raft.ReplicaCopy;
import io.parterre.server.raft.Replicas;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreException;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The NodeService of this node. Safe for any thread; each copy has a thread while it lasts. */
public final class NodeServer extends NodeServiceGrpc.NodeServiceImplBase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);

    private final CopyConfig config;
    private final Replicas replicas;
    private final ServerStore store;
    private final BytePace pace;
    private final LongSupplier nanoTicker;
    private final ThreadPoolExecutor threads;
    private final Set<CopyStream> streams = ConcurrentHashMap.newKeySet();

    public NodeServer(
            CopyConfig config, Replicas replicas, ServerStore store, LongSupplier nanoTicker) {
        this.config = config;
        this.replicas = replicas;
        this.store = store;
        this.pace = new BytePace(config.bytesPerSecondMax());
        this.nanoTicker = nanoTicker;
        this.threads =
                new ThreadPoolExecutor(
                        0,
                        config.copiesMax(),
                        10,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        task -> {
                            Thread thread = new Thread(task, "replica-copy");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    @Override
    public void copyReplica(CopyReplicaRequest request, StreamObserver<CopyPart> observer) {
        ServerCallStreamObserver<CopyPart> transport =
                (ServerCallStreamObserver<CopyPart>) observer;
        Optional<Replica> replica =
                request.getRangeId() > 0
                        ? replicas.find(new RangeId(request.getRangeId()))
                                .filter(Replica::isLeading)
                        : Optional.empty();
        if (replica.isEmpty()) {
            transport.onError(
                    Status.FAILED_PRECONDITION
                            .withDescription("range " + request.getRangeId() + " is not led here")
                            .asRuntimeException());
            return;
        }
        CopyStream stream = new CopyStream(transport, config, pace, nanoTicker);
        streams.add(stream);
        try {
            threads.execute(() -> run(request, replica.get(), stream, transport));
        } catch (RejectedExecutionException enough) {
            LOG.debug("copy refused rangeId={}", request.getRangeId(), enough);
            streams.remove(stream);
            transport.onError(
                    Status.RESOURCE_EXHAUSTED
                            .withDescription("copies under way: " + config.copiesMax())
                            .asRuntimeException());
        }
    }

    private void run(
            CopyReplicaRequest request,
            Replica replica,
            CopyStream stream,
            ServerCallStreamObserver<CopyPart> transport) {
        try (ReplicaCopy copy = replica.openCopy(request.getNodeId())) {
            long rows = stream.send(copy);
            transport.onCompleted();
            LOG.info(
                    "copy of replica sent rangeId={} to={} appliedIndex={} rows={}",
                    request.getRangeId(),
                    request.getNodeId(),
                    copy.applied().index(),
                    rows);
        } catch (IOException | StoreException | IllegalStateException failure) {
            LOG.info(
                    "copy of replica not sent rangeId={} to={}",
                    request.getRangeId(),
                    request.getNodeId(),
                    failure);
            if (!transport.isCancelled()) {
                transport.onError(
                        Status.ABORTED.withDescription(failure.getMessage()).asRuntimeException());
            }
        } finally {
            streams.remove(stream);
        }
    }

    @Override
    public void flush(FlushRequest request, StreamObserver<FlushResponse> response) {
        try {
            store.flush();
            replicas.refreshDurable();
        } catch (StoreException failure) {
            LOG.warn("flush on request failed", failure);
            response.onError(
                    Status.INTERNAL.withDescription(failure.getMessage()).asRuntimeException());
            return;
        }
        response.onNext(FlushResponse.newBuilder().setReplicas(replicas.all().size()).build());
        response.onCompleted();
    }

    /** Ends the copies under way; whoever gets them asks another leader. */
    @Override
    public void close() {
        threads.shutdown();
        streams.forEach(CopyStream::cancel);
        try {
            if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("a copy still runs at close");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.range.RangeId;
import io.parterre.server.copy.CopyFailure;
import io.parterre.server.copy.ReplicaCopy;
import io.parterre.server.metrics.CopyEnd;
import io.parterre.server.metrics.CopyMeter;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import io.parterre.server.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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

/**
 * Sends copies of replicas to other nodes, each copy on a thread of its own. Safe for any thread.
 */
final class ReplicaCopies implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaCopies.class);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

    private final CopyConfig config;
    private final Replicas replicas;
    private final BytePace pace;
    private final CopyMeter meter;
    private final LongSupplier nanoTicker;
    private final ThreadPoolExecutor threads;
    private final Set<CopyStream> streams = ConcurrentHashMap.newKeySet();

    ReplicaCopies(
            CopyConfig config,
            Replicas replicas,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker) {
        this.config = config;
        this.replicas = replicas;
        this.pace = new BytePace(config.bytesPerSecondMax());
        this.meter = metrics.copiesSent();
        this.nanoTicker = nanoTicker;
        this.threads =
                new ThreadPoolExecutor(
                        0,
                        config.copiesMax(),
                        10,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        DaemonThreads.named("replica-copy"));
    }

    /**
     * Sends the copy on a thread of its own and ends the stream, with an error if there is no whole
     * copy. Does not block.
     */
    void send(CopyReplicaRequest request, StreamObserver<CopyPart> observer) {
        ServerCallStreamObserver<CopyPart> transport =
                (ServerCallStreamObserver<CopyPart>) observer;
        Optional<Replica> replica =
                request.getRangeId() > 0
                        ? replicas.find(new RangeId(request.getRangeId()))
                                .filter(Replica::isLeading)
                        : Optional.empty();
        if (replica.isEmpty()) {
            meter.refused(CopyEnd.NOT_LEADER);
            transport.onError(
                    Status.FAILED_PRECONDITION
                            .withDescription("range " + request.getRangeId() + " is not led here")
                            .asRuntimeException());
            return;
        }
        CopyStream stream = new CopyStream(transport, config, List.of(pace), meter, nanoTicker);
        streams.add(stream);
        try {
            threads.execute(() -> run(request, replica.get(), stream, transport));
        } catch (RejectedExecutionException enough) {
            LOG.debug("copy refused rangeId={}", request.getRangeId(), enough);
            streams.remove(stream);
            meter.refused(CopyEnd.BUSY);
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
        long beganNanos = nanoTicker.getAsLong();
        CopyEnd end = CopyEnd.FAILED;
        meter.begun();
        try (ReplicaCopy copy = replica.openCopy(request.getNodeId())) {
            long rows = stream.send(copy);
            transport.onCompleted();
            end = CopyEnd.DONE;
            LOG.info(
                    "copy of replica sent rangeId={} to={} appliedIndex={} rows={}",
                    request.getRangeId(),
                    request.getNodeId(),
                    copy.applied().index(),
                    rows);
        } catch (IOException | StoreException | IllegalStateException failure) {
            end = failure instanceof CopyFailure known ? known.end() : CopyEnd.FAILED;
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
            meter.ended(end, Duration.ofNanos(nanoTicker.getAsLong() - beganNanos));
        }
    }

    /** Ends the copies under way; their receivers ask another leader. */
    @Override
    public void close() {
        threads.shutdown();
        streams.forEach(CopyStream::cancel);
        if (!DaemonThreads.awaitEnd(threads, CLOSE_WAIT)) {
            LOG.warn("a copy still runs at close");
        }
    }
}

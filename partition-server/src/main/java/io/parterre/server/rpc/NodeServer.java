package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.proto.node.AwaitAppliedRequest;
import io.parterre.proto.node.AwaitAppliedResponse;
import io.parterre.proto.node.CompareReplicaRequest;
import io.parterre.proto.node.CompareReplicaResponse;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.proto.node.FlushRequest;
import io.parterre.proto.node.FlushResponse;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.RecoverEntryRequest;
import io.parterre.proto.node.RecoverEntryResponse;
import io.parterre.proto.node.ReplicaSnapshot;
import io.parterre.proto.node.TakeSnapshotRequest;
import io.parterre.proto.node.TakeSnapshotResponse;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.server.compare.MemberAnswer;
import io.parterre.server.metrics.CopyEnd;
import io.parterre.server.metrics.CopyMeter;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.raft.CopyFailure;
import io.parterre.server.raft.Replica;
import io.parterre.server.raft.ReplicaCopy;
import io.parterre.server.raft.Replicas;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeService of this node. Safe for any thread. No call blocks the thread that brings it,
 * which may be a connection's event loop: each copy has a thread while it lasts, and what waits for
 * the disk otherwise is done by the node's upkeep, one after the other.
 */
public final class NodeServer extends NodeServiceGrpc.NodeServiceImplBase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);

    /** For those who wait for an entry to be applied. */
    private static final Duration APPLIED_WAIT_MAX = Duration.ofSeconds(5);

    private static final Duration APPLIED_POLL = Duration.ofMillis(2);

    private final CopyConfig config;
    private final Replicas replicas;
    private final ServerStore store;
    private final BytePace pace;
    private final CopyMeter meter;
    private final LongSupplier nanoTicker;
    private final ThreadPoolExecutor threads;
    private final ScheduledExecutorService timer;
    private final Executor upkeep;
    private final ReplicaDigests digests;
    private final Set<CopyStream> streams = ConcurrentHashMap.newKeySet();

    /**
     * A service.
     *
     * @param timer looks again; its tasks here do not block
     * @param upkeep for what waits for the disk
     * @param digests of this node's replicas; stays the caller's
     */
    public NodeServer(
            CopyConfig config,
            Replicas replicas,
            ServerStore store,
            ScheduledExecutorService timer,
            Executor upkeep,
            ReplicaDigests digests,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker) {
        this.config = config;
        this.replicas = replicas;
        this.store = store;
        this.timer = timer;
        this.upkeep = upkeep;
        this.digests = digests;
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
            meter.refused(CopyEnd.NOT_LEADER);
            transport.onError(
                    Status.FAILED_PRECONDITION
                            .withDescription("range " + request.getRangeId() + " is not led here")
                            .asRuntimeException());
            return;
        }
        CopyStream stream = new CopyStream(transport, config, pace, meter, nanoTicker);
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

    @Override
    public void awaitApplied(
            AwaitAppliedRequest request, StreamObserver<AwaitAppliedResponse> response) {
        Duration wait = Duration.ofMillis(Integer.toUnsignedLong(request.getWaitMillis()));
        Duration bounded = wait.compareTo(APPLIED_WAIT_MAX) < 0 ? wait : APPLIED_WAIT_MAX;
        lookApplied(request, response, nanoTicker.getAsLong() + bounded.toNanos());
    }

    private void lookApplied(
            AwaitAppliedRequest request,
            StreamObserver<AwaitAppliedResponse> response,
            long deadlineNanos) {
        Optional<Replica> replica =
                request.getRangeId() > 0
                        ? replicas.find(new RangeId(request.getRangeId())).filter(Replica::hasGroup)
                        : Optional.empty();
        if (replica.isEmpty()) {
            response.onError(
                    Status.NOT_FOUND
                            .withDescription("range " + request.getRangeId() + " is not here")
                            .asRuntimeException());
            return;
        }
        boolean there = replica.get().log().hasDurably(request.getIndex());
        if (!there && nanoTicker.getAsLong() - deadlineNanos < 0) {
            try {
                timer.schedule(
                        () -> lookApplied(request, response, deadlineNanos),
                        APPLIED_POLL.toMillis(),
                        TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closing) {
                LOG.debug("not looked again: the node is closing", closing);
                response.onError(Status.UNAVAILABLE.asRuntimeException());
            }
            return;
        }
        response.onNext(
                AwaitAppliedResponse.newBuilder()
                        // What is applied may not be on this node's disk as an entry.
                        .setAppliedIndex(there ? Math.max(0, replica.get().appliedIndex()) : 0)
                        .setFrozenFor(
                                replica.get()
                                        .descriptor()
                                        .frozenFor()
                                        .map(RangeId::value)
                                        .orElse(0L))
                        .build());
        response.onCompleted();
    }

    /** Unless nobody waits any more when its turn comes. */
    private void onUpkeep(StreamObserver<?> response, Runnable work) {
        ServerCallStreamObserver<?> call = (ServerCallStreamObserver<?>) response;
        try {
            upkeep.execute(
                    () -> {
                        if (!call.isCancelled()) {
                            work.run();
                        }
                    });
        } catch (RejectedExecutionException closing) {
            LOG.debug("call refused: the node is closing", closing);
            response.onError(Status.UNAVAILABLE.asRuntimeException());
        }
    }

    @Override
    public void flush(FlushRequest request, StreamObserver<FlushResponse> response) {
        onUpkeep(response, () -> flush(response));
    }

    private void flush(StreamObserver<FlushResponse> response) {
        try {
            store.flushNow();
            replicas.registry().refreshDurable();
        } catch (StoreException failure) {
            LOG.warn("flush on request failed", failure);
            response.onError(
                    Status.INTERNAL.withDescription(failure.getMessage()).asRuntimeException());
            return;
        }
        response.onNext(FlushResponse.newBuilder().setReplicas(replicas.all().size()).build());
        response.onCompleted();
    }

    @Override
    public void takeSnapshot(
            TakeSnapshotRequest request, StreamObserver<TakeSnapshotResponse> response) {
        onUpkeep(response, () -> snapshot(request, response));
    }

    private void snapshot(
            TakeSnapshotRequest request, StreamObserver<TakeSnapshotResponse> response) {
        Set<Long> named = Set.copyOf(request.getRangeIdsList());
        TakeSnapshotResponse.Builder answer = TakeSnapshotResponse.newBuilder();
        try {
            replicas.logs()
                    .snapshot(
                            rangeId -> named.isEmpty() || named.contains(rangeId.value()),
                            request.getDryRun())
                    .forEach(each -> answer.addReplicas(snapshot(each)));
        } catch (IOException | StoreException failure) {
            LOG.warn("snapshot on request failed", failure);
            response.onError(
                    Status.INTERNAL.withDescription(failure.getMessage()).asRuntimeException());
            return;
        }
        response.onNext(answer.build());
        response.onCompleted();
    }

    @Override
    public void compareReplica(
            CompareReplicaRequest request, StreamObserver<CompareReplicaResponse> response) {
        CompletableFuture<MemberAnswer> answer =
                request.getRangeId() > 0 && request.getGeneration() > 0
                        ? digests.ask(
                                new RangeId(request.getRangeId()),
                                new Generation(request.getGeneration()),
                                request.getIndex(),
                                request.getFormat(),
                                request.getRelease(),
                                Duration.ofMillis(Integer.toUnsignedLong(request.getWaitMillis())))
                        : CompletableFuture.completedFuture(
                                new MemberAnswer.None(MemberAnswer.Why.CHANGED));
        ((ServerCallStreamObserver<CompareReplicaResponse>) response)
                .setOnCancelHandler(() -> answer.cancel(false));
        answer.whenComplete(
                (given, failure) -> {
                    if (given != null) {
                        response.onNext(DigestCodec.toProto(given));
                        response.onCompleted();
                    }
                });
    }

    @Override
    public void recoverEntry(
            RecoverEntryRequest request, StreamObserver<RecoverEntryResponse> response) {
        boolean here =
                request.getRangeId() > 0
                        && replicas.find(new RangeId(request.getRangeId())).isPresent();
        if (!here) {
            response.onError(
                    Status.NOT_FOUND
                            .withDescription("range " + request.getRangeId() + " is not here")
                            .asRuntimeException());
            return;
        }
        onUpkeep(response, () -> recover(request, response));
    }

    private void recover(
            RecoverEntryRequest request, StreamObserver<RecoverEntryResponse> response) {
        RecoverEntryResponse answer;
        try {
            answer = EntrySteps.take(replicas.entries(), request);
        } catch (IOException | RuntimeException failure) {
            LOG.warn(
                    "recovery of an entry failed rangeId={} step={}",
                    request.getRangeId(),
                    request.getStep(),
                    failure);
            response.onError(
                    Status.INTERNAL.withDescription(failure.getMessage()).asRuntimeException());
            return;
        }
        response.onNext(answer);
        response.onCompleted();
    }

    private static ReplicaSnapshot.Builder snapshot(
            io.parterre.server.raft.ReplicaSnapshot snapshot) {
        return ReplicaSnapshot.newBuilder()
                .setRangeId(snapshot.rangeId().value())
                .setAppliedIndex(Math.max(0, snapshot.appliedIndex()))
                .setFlushedIndexBefore(Math.max(0, snapshot.flushedBefore()))
                .setFlushedIndex(Math.max(0, snapshot.flushedIndex()))
                .setLogBytesBefore(snapshot.logBytesBefore())
                .setLogBytes(snapshot.logBytes())
                .setLogHeld(snapshot.logHeld());
    }

    /** Ends the copies under way; whoever gets them asks another leader. */
    @Override
    public void close() {
        threads.shutdown();
        streams.forEach(CopyStream::cancel);
        if (!DaemonThreads.awaitEnd(threads, Duration.ofSeconds(10))) {
            LOG.warn("a copy still runs at close");
        }
    }
}

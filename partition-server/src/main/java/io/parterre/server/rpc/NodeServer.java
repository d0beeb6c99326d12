package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.node.AwaitAppliedRequest;
import io.parterre.proto.node.AwaitAppliedResponse;
import io.parterre.proto.node.CompareReplicaRequest;
import io.parterre.proto.node.CompareReplicaResponse;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.proto.node.FlushRequest;
import io.parterre.proto.node.FlushResponse;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.ReadChangesRequest;
import io.parterre.proto.node.ReadRowsRequest;
import io.parterre.proto.node.RecordChangesRequest;
import io.parterre.proto.node.RecordChangesResponse;
import io.parterre.proto.node.RecoverEntryRequest;
import io.parterre.proto.node.RecoverEntryResponse;
import io.parterre.proto.node.ReplicaSnapshot;
import io.parterre.proto.node.RestoreRowsRequest;
import io.parterre.proto.node.RestoreRowsResponse;
import io.parterre.proto.node.TakeSnapshotRequest;
import io.parterre.proto.node.TakeSnapshotResponse;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.server.compare.MemberAnswer;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeService of this node. Safe for any thread. No call blocks its own thread, which may be a
 * connection's event loop. Calls that wait for the disk run on the node's upkeep thread, one after
 * the other, and copies on threads of their own.
 */
public final class NodeServer extends NodeServiceGrpc.NodeServiceImplBase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);

    /** Longest wait for an entry to be applied. */
    private static final Duration APPLIED_WAIT_MAX = Duration.ofSeconds(5);

    private static final Duration APPLIED_POLL = Duration.ofMillis(2);

    private final ReplicaCopies copies;
    private final Replicas replicas;
    private final ServerStore store;
    private final LongSupplier nanoTicker;
    private final ScheduledExecutorService timer;
    private final Executor upkeep;
    private final ReplicaDigests digests;
    private final BackupReads backups;
    private final RowRestores restores;
    private final ChangeReads changes;
    private final ChangeKeeping keeping;

    /**
     * Makes a service.
     *
     * @param timer repeats checks; its tasks here do not block
     * @param upkeep runs calls that wait for the disk
     * @param digests digests of this node's replicas; the caller closes them
     * @param level the cluster's feature level
     * @param clock clock by which leaders stamp entries
     */
    public NodeServer(
            CopyConfig config,
            Replicas replicas,
            ServerStore store,
            ScheduledExecutorService timer,
            Executor upkeep,
            ReplicaDigests digests,
            PartitionServerMetrics metrics,
            ClusterLevel level,
            InstantSource clock,
            LongSupplier nanoTicker) {
        this.changes = new ChangeReads(config, store, metrics, nanoTicker);
        this.keeping = new ChangeKeeping(replicas, store, level, clock);
        this.backups = new BackupReads(config, replicas, store, metrics, nanoTicker);
        this.restores =
                new RowRestores(
                        rangeId -> LedReplicas.require(replicas, rangeId)::propose,
                        level,
                        ThreadLocalRandom.current().nextLong());
        this.copies = new ReplicaCopies(config, replicas, metrics, nanoTicker);
        this.replicas = replicas;
        this.store = store;
        this.timer = timer;
        this.upkeep = upkeep;
        this.digests = digests;
        this.nanoTicker = nanoTicker;
    }

    @Override
    public void copyReplica(CopyReplicaRequest request, StreamObserver<CopyPart> observer) {
        copies.send(request, observer);
    }

    @Override
    public void readRows(ReadRowsRequest request, StreamObserver<CopyPart> observer) {
        backups.send(request, observer);
    }

    @Override
    public void restoreRows(
            RestoreRowsRequest request, StreamObserver<RestoreRowsResponse> response) {
        restores.put(request, response);
    }

    @Override
    public void recordChanges(
            RecordChangesRequest request, StreamObserver<RecordChangesResponse> response) {
        onUpkeep(response, () -> keeping.keep(request, response));
    }

    @Override
    public void readChanges(ReadChangesRequest request, StreamObserver<CopyPart> observer) {
        changes.send(request, observer);
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
            fail(response, Status.NOT_FOUND, "range " + request.getRangeId() + " is not here");
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
        answer(
                response,
                AwaitAppliedResponse.newBuilder()
                        // An applied entry may not be on this node's disk as a log entry.
                        .setAppliedIndex(there ? Math.max(0, replica.get().appliedIndex()) : 0)
                        .setFrozenFor(
                                replica.get()
                                        .descriptor()
                                        .frozenFor()
                                        .map(RangeId::value)
                                        .orElse(0L))
                        .build());
    }

    private static void fail(StreamObserver<?> response, Status status, String why) {
        response.onError(status.withDescription(why).asRuntimeException());
    }

    private static <T> void answer(StreamObserver<T> response, T answer) {
        response.onNext(answer);
        response.onCompleted();
    }

    /** Runs the work on the upkeep thread, unless the caller has gone when its turn comes. */
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
            fail(response, Status.INTERNAL, failure.getMessage());
            return;
        }
        answer(response, FlushResponse.newBuilder().setReplicas(replicas.all().size()).build());
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
            fail(response, Status.INTERNAL, failure.getMessage());
            return;
        }
        answer(response, answer.build());
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
                        answer(response, DigestCodec.toProto(given));
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
            fail(response, Status.NOT_FOUND, "range " + request.getRangeId() + " is not here");
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
            fail(response, Status.INTERNAL, failure.getMessage());
            return;
        }
        answer(response, answer);
    }

    private static ReplicaSnapshot.Builder snapshot(
            io.parterre.server.log.ReplicaSnapshot snapshot) {
        return ReplicaSnapshot.newBuilder()
                .setRangeId(snapshot.rangeId().value())
                .setAppliedIndex(Math.max(0, snapshot.appliedIndex()))
                .setFlushedIndexBefore(Math.max(0, snapshot.flushedBefore()))
                .setFlushedIndex(Math.max(0, snapshot.flushedIndex()))
                .setLogBytesBefore(snapshot.logBytesBefore())
                .setLogBytes(snapshot.logBytes())
                .setLogHeld(snapshot.logHeld());
    }

    /** Ends the copies under way; their receivers ask another leader. */
    @Override
    public void close() {
        changes.close();
        backups.close();
        copies.close();
    }
}

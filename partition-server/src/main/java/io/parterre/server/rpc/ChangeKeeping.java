package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.entity.Ticks;
import io.parterre.proto.node.ArchivedRange;
import io.parterre.proto.node.RecordChangesRequest;
import io.parterre.proto.node.RecordChangesResponse;
import io.parterre.proto.node.RecordedRange;
import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.release.Feature;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import io.parterre.server.read.ReadGate;
import io.parterre.server.store.ChangeRecords;
import io.parterre.server.store.RecordSpan;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the node record changes for an archive that repeats its request, and reports the recorded
 * spans to the archive. Waits for the disk; one thread at a time.
 */
final class ChangeKeeping {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeKeeping.class);
    private static final Duration ROUND_WAIT_MAX = Duration.ofMillis(100);
    private static final long LEASE_MILLIS_MAX = 7L * 24 * 3_600 * 1_000;

    private final Replicas replicas;
    private final ServerStore store;
    private final ClusterLevel level;
    private final InstantSource clock;

    ChangeKeeping(Replicas replicas, ServerStore store, ClusterLevel level, InstantSource clock) {
        this.replicas = replicas;
        this.store = store;
        this.level = level;
        this.clock = clock;
    }

    void keep(RecordChangesRequest request, StreamObserver<RecordChangesResponse> response) {
        RecordChangesResponse answer;
        try {
            Status refusal = refusal(request);
            if (!refusal.isOk()) {
                response.onError(refusal.asRuntimeException());
                return;
            }
            answer = kept(request);
        } catch (StoreException | CancellationException failure) {
            response.onError(
                    Status.UNAVAILABLE.withDescription(failure.getMessage()).asRuntimeException());
            return;
        }
        response.onNext(answer);
        response.onCompleted();
    }

    /** Starts, continues or stops recording. Returns the reason for a refusal, or {@code OK}. */
    private Status refusal(RecordChangesRequest request) {
        if (!level.has(Feature.CHANGE_RECORDS)) {
            return Status.UNIMPLEMENTED.withDescription(
                    "feature level of the cluster (expected: >= "
                            + Feature.CHANGE_RECORDS.needed()
                            + ", by 'parterre upgrade finalize')");
        }
        long lease = request.getLeaseMillis();
        if (!request.getStop() && (lease <= 0 || lease > LEASE_MILLIS_MAX)) {
            return Status.INVALID_ARGUMENT.withDescription(
                    "leaseMillis: " + lease + " (expected: 1.." + LEASE_MILLIS_MAX + ")");
        }
        if (request.getArchiveId().isEmpty() || !request.getStop() && request.getBytesMax() <= 0) {
            return Status.INVALID_ARGUMENT.withDescription(
                    "archiveId, bytesMax: missing (expected: both)");
        }
        ChangeRecords records = store.records();
        if (request.getStop()) {
            records.stop(request.getArchiveId());
            return Status.OK;
        }
        boolean keeps =
                records.keep(
                        request.getArchiveId(),
                        clock.millis() + lease,
                        request.getBytesMax(),
                        request.getArchivedMillis());
        return keeps
                ? Status.OK
                : Status.FAILED_PRECONDITION.withDescription(
                        "this node records changes for another archive");
    }

    private RecordChangesResponse kept(RecordChangesRequest request) {
        for (ArchivedRange each : request.getArchivedList()) {
            if (each.getRangeId() > 0) {
                RangeId rangeId = new RangeId(each.getRangeId());
                store.records().trim(rangeId, each.getIndex(), replicas.find(rangeId).isPresent());
            }
        }
        RecordChangesResponse.Builder answer = RecordChangesResponse.newBuilder();
        if (request.getStop()) {
            return answer.build();
        }
        renewLeases();
        Set<RangeId> told = new HashSet<>();
        for (Replica replica : replicas.all()) {
            replica.rows().record();
            RangeId rangeId = replica.descriptor().rangeId();
            told.add(rangeId);
            answer.addAllRanges(spans(ofReplica(replica, rangeId), store.records().spans(rangeId)));
        }
        for (RangeId each : store.records().ranges()) {
            if (!told.contains(each)) {
                answer.addAllRanges(spans(left(each), store.records().spans(each)));
            }
        }
        return answer.build();
    }

    /**
     * Renews leases, because a quiet range has no lease most of the time, and without a lease its
     * complete time is not reported. Ranges whose followers are silent report it at a later call.
     */
    private void renewLeases() {
        CompletableFuture<?>[] rounds =
                replicas.all().stream()
                        .filter(each -> each.reads().gate(OptionalLong.empty()) == ReadGate.WAIT)
                        .map(each -> each.reads().ask())
                        .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(rounds).get(ROUND_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException silent) {
            LOG.debug("followers have not answered", silent);
        }
    }

    private RecordedRange ofReplica(Replica replica, RangeId rangeId) {
        RecordedRange.Builder told = RecordedRange.newBuilder().setRangeId(rangeId.value());
        complete(replica).ifPresent(told::setCompleteTicks);
        // Read after the time: all that was acknowledged by then is applied by now.
        told.setAppliedIndex(Math.max(0, replica.appliedIndex()));
        // Checked after the entry is read: no other member has led the range up to that entry.
        if (replica.reads().gate(OptionalLong.empty()) != ReadGate.OPEN) {
            told.clearCompleteTicks();
        }
        return told.build();
    }

    /**
     * Returns a time up to which every entry is applied or was not acknowledged. A later entry has
     * the leader's time when it is made, or the range's time if that is later.
     */
    private OptionalLong complete(Replica replica) {
        if (!replica.isLeading()) {
            return OptionalLong.empty();
        }
        long nowTicks = Ticks.of(clock.instant());
        long latestTicks = replica.time().latestTicks();
        long knownTicks = replica.heldCommands() == 0 ? nowTicks : Math.min(nowTicks, latestTicks);
        return knownTicks > Ticks.MIN ? OptionalLong.of(knownTicks - 1) : OptionalLong.empty();
    }

    private RecordedRange left(RangeId rangeId) {
        return RecordedRange.newBuilder()
                .setRangeId(rangeId.value())
                .setAppliedIndex(Math.max(0, store.records().lastWhole(rangeId)))
                .build();
    }

    /**
     * Returns a message for each span. Without an open span, adds the range's message without a
     * span.
     */
    private static List<RecordedRange> spans(RecordedRange range, List<RecordSpan> spans) {
        List<RecordedRange> told = new ArrayList<>();
        boolean open = false;
        for (RecordSpan span : spans) {
            RecordedRange.Builder each =
                    range.toBuilder().setRecorded(true).setRecordedAfter(span.afterIndex());
            if (span.lastIndex().isPresent()) {
                each.setAppliedIndex(span.lastIndex().getAsLong()).clearCompleteTicks();
            } else {
                open = true;
            }
            told.add(each.build());
        }
        if (!open) {
            told.add(range);
        }
        return told;
    }
}

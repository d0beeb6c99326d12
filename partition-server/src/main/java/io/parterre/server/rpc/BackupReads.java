package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.node.CopyHeader;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.ReadRowsRequest;
import io.parterre.range.RangeId;
import io.parterre.server.copy.RangeRows;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.ReadPermission;
import io.parterre.server.raft.Replica;
import io.parterre.server.read.ReadGate;
import io.parterre.server.replica.KeysHeld;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads rows of ranges for operators' backups, each read on a thread of its own. Backups have the
 * same limits of number and rate as copies for other nodes, and run beside them, so a backup keeps
 * no replica from being repaired. Safe for any thread.
 */
final class BackupReads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackupReads.class);

    /** Followers that answer do so within some milliseconds. */
    private static final Duration GATE_WAIT_MAX = Duration.ofMillis(500);

    private final Replicas replicas;
    private final ServerStore store;
    private final CopySends sends;

    BackupReads(
            CopyConfig config,
            Replicas replicas,
            ServerStore store,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker) {
        this.replicas = replicas;
        this.store = store;
        this.sends =
                new CopySends(
                        "backups",
                        "backup-read",
                        config.copiesMax(),
                        config,
                        metrics.backupsRead(),
                        nanoTicker);
    }

    /**
     * Sends the rows on a thread of its own and ends the stream, with an error if the rows are not
     * whole. Does not block.
     */
    void send(ReadRowsRequest request, StreamObserver<CopyPart> observer) {
        sends.send(
                observer,
                request.getBytesPerSecondMax() > 0
                        ? List.of(new BytePace(request.getBytesPerSecondMax()))
                        : List.of(),
                stream -> send(request, stream),
                enough -> LOG.debug("backup refused rangeId={}", request.getRangeId(), enough),
                failure -> LOG.info("backup not sent rangeId={}", request.getRangeId(), failure));
    }

    private void send(ReadRowsRequest request, CopyStream stream)
            throws IOException, StatusException {
        try (RangeRows rows = open(request)) {
            CopyHeader.Builder header =
                    CopyStream.header(rows.range(), rows.applied())
                            .setLogTimeTicks(rows.logTimeTicks());
            if (isUnchanged(request, rows.applied())) {
                stream.sendUnchanged(header);
            } else {
                stream.send(header, rows::forEachRow);
            }
            stream.complete();
        }
    }

    /**
     * Opens the rows while no other member can lead the range, so that the rows contain every
     * acknowledged write.
     */
    private RangeRows open(ReadRowsRequest request) throws IOException, StatusException {
        Replica replica = LedReplicas.require(replicas, request.getRangeId());
        Key start = Key.wrap(request.getStart().toByteArray());
        Key end = Key.wrap(request.getEndExclusive().toByteArray());
        if (start.compareTo(end) >= 0) {
            throw refusal(Status.INVALID_ARGUMENT, "endExclusive: " + end + " (expected: > start)");
        }
        if (!mayRead(replica)) {
            throw refusal(Status.UNAVAILABLE, "range " + request.getRangeId() + " is being led");
        }
        RangeId rangeId = new RangeId(request.getRangeId());
        Optional<RangeRows> opened = RangeRows.open(store, rangeId, start, end);
        if (opened.isEmpty()) {
            throw refusal(Status.OUT_OF_RANGE, "range " + rangeId + " does not hold " + start);
        }
        RangeRows rows = opened.get();
        KeyRange bounds = rows.range().descriptor().bounds();
        KeysHeld held = replica.reads().holds(new KeyRange(start, end).intersection(bounds));
        if (held == KeysHeld.HELD) {
            return rows;
        }
        rows.close();
        throw held == KeysHeld.PENDING
                ? refusal(Status.UNAVAILABLE, "range " + rangeId + " is changing")
                : refusal(Status.OUT_OF_RANGE, "range " + rangeId + " has changed");
    }

    /**
     * Returns whether this leader may read. Waits for the followers if there is no lease; the
     * threads are for backups alone.
     */
    private static boolean mayRead(Replica replica) {
        OptionalLong begunNanos = OptionalLong.of(ReadPermission.nowNanos());
        ReadGate gate = replica.reads().gate(begunNanos);
        if (gate != ReadGate.WAIT) {
            return gate == ReadGate.OPEN;
        }
        try {
            replica.reads().ask().get(GATE_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException silent) {
            LOG.debug("followers have not answered", silent);
        }
        return replica.reads().gate(begunNanos) == ReadGate.OPEN;
    }

    private static StatusException refusal(Status status, String why) {
        return status.withDescription(why).asException();
    }

    /**
     * Rows in the midst of an entry never count as unchanged, because the rest of the entry has the
     * same position.
     */
    private static boolean isUnchanged(ReadRowsRequest request, AppliedPosition applied) {
        return request.hasUnchangedSince()
                && applied.commands() == 0
                && request.getUnchangedSince().getTerm() == applied.term()
                && request.getUnchangedSince().getIndex() == applied.index();
    }

    /** Ends the reads under way; their callers retry. */
    @Override
    public void close() {
        if (!sends.end()) {
            LOG.warn("a backup still runs at close");
        }
    }
}

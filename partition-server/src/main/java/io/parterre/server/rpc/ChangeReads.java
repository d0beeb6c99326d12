package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.node.CopyHeader;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.ReadChangesRequest;
import io.parterre.range.RangeId;
import io.parterre.server.copy.RangeRecords;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads change records for an archive, the read of each range on a thread of its own. The reads
 * have the same rate limit as copies for other nodes, and run beside them. Safe for any thread.
 */
final class ChangeReads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeReads.class);

    /** These reads are small, and backups that run for hours must not delay them. */
    private static final int READS_MAX = 4;

    private final ServerStore store;
    private final CopySends sends;

    ChangeReads(
            CopyConfig config,
            ServerStore store,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker) {
        this.store = store;
        this.sends =
                new CopySends(
                        "reads of changes",
                        "change-read",
                        READS_MAX,
                        config,
                        metrics.changesRead(),
                        nanoTicker);
    }

    /**
     * Sends the records on a thread of its own and ends the stream, with an error if the records
     * are not whole. Does not block.
     */
    void send(ReadChangesRequest request, StreamObserver<CopyPart> observer) {
        sends.send(
                observer,
                List.of(),
                stream -> send(request, stream),
                enough -> LOG.debug("changes refused rangeId={}", request.getRangeId(), enough),
                failure -> LOG.debug("changes not sent rangeId={}", request.getRangeId(), failure));
    }

    private void send(ReadChangesRequest request, CopyStream stream)
            throws IOException, StatusException {
        try (RangeRecords records = open(request)) {
            stream.send(
                    CopyHeader.newBuilder()
                            .setAppliedIndex(
                                    Math.max(records.lastIndex(), request.getAfterIndex())),
                    records::forEachRecord);
            stream.complete();
        }
    }

    private RangeRecords open(ReadChangesRequest request) throws StatusException {
        if (request.getRangeId() <= 0) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("rangeId: " + request.getRangeId() + " (expected: positive)")
                    .asException();
        }
        return RangeRecords.open(store, new RangeId(request.getRangeId()), request.getAfterIndex())
                .orElseThrow(
                        () ->
                                Status.OUT_OF_RANGE
                                        .withDescription(
                                                "range "
                                                        + request.getRangeId()
                                                        + " is not recorded here after entry "
                                                        + request.getAfterIndex())
                                        .asException());
    }

    /** Ends the reads under way; their callers retry. */
    @Override
    public void close() {
        if (!sends.end()) {
            LOG.warn("a read of changes still runs at close");
        }
    }
}

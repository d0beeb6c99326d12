package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.proto.node.CopyHeader;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.ReadChangesRequest;
import io.parterre.range.RangeId;
import io.parterre.server.copy.CopyFailure;
import io.parterre.server.copy.RangeRecords;
import io.parterre.server.metrics.CopyEnd;
import io.parterre.server.metrics.CopyMeter;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
 * Reads change records for an archive, the read of each range on a thread of its own. The reads
 * have the same rate limit as copies for other nodes, and run beside them. Safe for any thread.
 */
final class ChangeReads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeReads.class);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

    /** These reads are small, and backups that run for hours must not delay them. */
    private static final int READS_MAX = 4;

    private final CopyConfig config;
    private final ServerStore store;
    private final BytePace pace;
    private final CopyMeter meter;
    private final LongSupplier nanoTicker;
    private final ThreadPoolExecutor threads;
    private final Set<CopyStream> streams = ConcurrentHashMap.newKeySet();

    ChangeReads(
            CopyConfig config,
            ServerStore store,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker) {
        this.config = config;
        this.store = store;
        this.pace = new BytePace(config.bytesPerSecondMax());
        this.meter = metrics.changesRead();
        this.nanoTicker = nanoTicker;
        this.threads =
                new ThreadPoolExecutor(
                        0,
                        READS_MAX,
                        10,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        DaemonThreads.named("change-read"));
    }

    /**
     * Sends the records on a thread of its own and ends the stream, with an error if the records
     * are not whole. Does not block.
     */
    void send(ReadChangesRequest request, StreamObserver<CopyPart> observer) {
        ServerCallStreamObserver<CopyPart> transport =
                (ServerCallStreamObserver<CopyPart>) observer;
        CopyStream stream = new CopyStream(transport, config, List.of(pace), meter, nanoTicker);
        streams.add(stream);
        try {
            threads.execute(() -> run(request, stream, transport));
        } catch (RejectedExecutionException enough) {
            LOG.debug("changes refused rangeId={}", request.getRangeId(), enough);
            streams.remove(stream);
            meter.refused(CopyEnd.BUSY);
            transport.onError(
                    Status.RESOURCE_EXHAUSTED
                            .withDescription("reads of changes under way: " + READS_MAX)
                            .asRuntimeException());
        }
    }

    private void run(
            ReadChangesRequest request,
            CopyStream stream,
            ServerCallStreamObserver<CopyPart> transport) {
        long beganNanos = nanoTicker.getAsLong();
        CopyEnd end = CopyEnd.FAILED;
        meter.begun();
        try (RangeRecords records = open(request)) {
            stream.send(
                    CopyHeader.newBuilder()
                            .setAppliedIndex(
                                    Math.max(records.lastIndex(), request.getAfterIndex())),
                    records::forEachRecord);
            transport.onCompleted();
            end = CopyEnd.DONE;
        } catch (StatusException refused) {
            end = CopyEnd.BUSY;
            transport.onError(refused);
        } catch (IOException | RuntimeException failure) {
            end = failure instanceof CopyFailure known ? known.end() : CopyEnd.FAILED;
            LOG.debug("changes not sent rangeId={}", request.getRangeId(), failure);
            if (!transport.isCancelled()) {
                transport.onError(
                        Status.ABORTED.withDescription(failure.getMessage()).asRuntimeException());
            }
        } finally {
            streams.remove(stream);
            meter.ended(end, Duration.ofNanos(nanoTicker.getAsLong() - beganNanos));
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
        threads.shutdown();
        streams.forEach(CopyStream::cancel);
        if (!DaemonThreads.awaitEnd(threads, CLOSE_WAIT)) {
            LOG.warn("a read of changes still runs at close");
        }
    }
}
